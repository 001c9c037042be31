/** What people tell of themselves, and the goods that help: `config/situations.json`. */
import { Type, type Static } from 'typebox'
import { ConfigError, readConfigFile } from '../config.ts'
import { CLOSED } from '../contract/fields.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import { checkConfigFile } from '../validate.ts'

const Situation = Type.Object({
  /** Ways to tell it, in both languages. */
  said: Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { minItems: 1 }),
  /** Slugs, the likeliest first. */
  kinds: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]{1,58}$' }), { minItems: 1 }),
}, CLOSED)

const Situations = Type.Object({
  /** What somebody likes or does, by which a gift is chosen. */
  likes: Type.Array(Situation),
  /** Troubles, plans and appetites. */
  needs: Type.Array(Situation),
}, CLOSED)

export type Situations = Static<typeof Situations>

const FILE = 'situations.json'
let loaded: Situations | undefined

/** Read once; whoever starts the service checks it. */
export const situations = (): Situations => loaded ??= readConfigFile(FILE) as Situations

/** A mistake in the file stops the start with one sentence. */
export function checkSituations(): void {
  const known = situations()
  checkConfigFile(FILE, Situations, known)
  const { kinds } = taxonomy()
  const missing = [...known.likes, ...known.needs].flatMap((one) => one.kinds)
    .find((kind) => !kinds.has(kind))
  if (missing) throw new ConfigError(`config/${FILE}: there is no kind ${missing}.`)
}

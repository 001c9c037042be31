/**
 * What a platform is asked for, which takes keywords only and knows goods by Chinese names: what
 * was understood, and never a word that was not.
 */
import { taxonomy } from '../goods/taxonomy.ts'
import type { Plan, SlotKind } from '../language/fit.ts'
import type { Understanding } from '../language/understand.ts'

const NAMES_MAX = 2
const SAID_MAX = 2
/** Values that titles carry in the same words. */
const IN_TITLES: readonly SlotKind[] = ['size', 'feature', 'audience', 'colour']

const IN_CHINESE = /^\p{Script=Han}{2,}$/u

/** The best first; the next where that finds too little. */
export function mallKeywords(understood: Understanding, plan: Plan): string[] {
  const { keywords, sentence } = understood
  const said = keywords.filter(({ role }) => role === 'brand' || role === 'model')
    .map(({ folded }) => folded)
  const names = namesOf(understood, plan)
  if (names.length === 0) {
    const words = keywords.map(({ folded }) => folded)
    return [words.join(' ') || plan.slots.map(({ name }) => name).join(' ') || sentence]
  }
  const values = plan.slots.filter(({ kind }) => IN_TITLES.includes(kind))
    .map(({ name, value }) => value ?? name.split('/')[0] ?? '')
    .filter((name) => /\p{Script=Han}|\d/u.test(name))
    .slice(0, SAID_MAX)
  const plain = names.map((name) => [...said, name].join(' '))
  return values.length === 0 ? plain
    : [[...said, ...values, names[0]].join(' '), ...plain]
}

/** A name that all kinds that are meant share, else the names of the likeliest. */
function namesOf({ keywords }: Understanding, { mainKinds }: Plan): string[] {
  const kinds = [...mainKinds].flatMap((kind) => taxonomy().kinds.get(kind) ?? [])
  const [said] = keywords.filter(({ role, folded }) => role === 'kind'
    && IN_CHINESE.test(folded)
    && kinds.every(({ name_zh, aliases }) => name_zh.includes(folded) || aliases.includes(folded)))
  const isShared = said !== undefined && kinds.every(({ name_zh }) => name_zh.includes(said.folded))
  if (isShared && kinds.length > 1) return [said.folded]
  const names = kinds.slice(0, NAMES_MAX).map(({ name_zh }) => name_zh)
  // 蓝牙耳机 finds what 真无线蓝牙耳机 does not.
  return isShared && !names.includes(said.folded) ? [...names, said.folded] : names
}

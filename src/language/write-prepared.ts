/** The last step of a build, run in its folder: what no process has to make again. */
import { taxonomy } from '../goods/taxonomy.ts'
import { makeLexicon } from './lexicon.ts'
import { makeNeeds } from './needs.ts'
import { makePartialNames } from './partial.ts'
import { writePrepared } from './prepared.ts'
import { makeProfile } from './profile.ts'
import { makeSourcesState } from './sources-state.ts'
import { makeValues } from './values.ts'
import { makeVocabulary } from './vocabulary.ts'

writePrepared(import.meta.dirname, new Map<string, unknown>([
  ['lexicon', makeLexicon()], ['vocabulary', makeVocabulary()], ['needs', makeNeeds()],
  ['partial names', makePartialNames()], ['sources', makeSourcesState()],
  ...[...taxonomy().kinds.values()].flatMap((kind) => [
    [`values ${kind.kind}`, makeValues(kind)], [`profile ${kind.kind}`, makeProfile(kind.kind)],
  ] as const),
]))

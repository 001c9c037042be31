/** The last step of a build, run in its folder: what no process has to make again. */
import { makeTaxonomy, taxonomy } from '../goods/taxonomy.ts'
import { makeLexicon } from './lexicon.ts'
import { makeNeeds, makeNeedTexts } from './needs.ts'
import { makePartialNames } from './partial.ts'
import { writePrepared } from './prepared.ts'
import { makeProfile } from './profile.ts'
import { makeSourcesState } from './sources-state.ts'
import { makeSieve } from './value-sieve.ts'
import { makeValues, valueNames } from './values.ts'
import { makeVocabulary } from './vocabulary.ts'

const needTexts = makeNeedTexts()
const values = new Map([...taxonomy().kinds.values()].map((kind) => [kind.kind, makeValues(kind)]))

writePrepared(import.meta.dirname, new Map<string, unknown>([
  ['taxonomy', makeTaxonomy()], ['told', [...needTexts.values()].join('\n')],
  ['lexicon', makeLexicon()], ['vocabulary', makeVocabulary()], ['needs', makeNeeds()],
  ['partial names', makePartialNames()], ['sources', makeSourcesState()],
  ['value sieve', makeSieve(new Map([...values].map(([kind, data]) => [kind, valueNames(data)])))],
  ...[...values].flatMap(([kind, data]) => [
    [`values ${kind}`, data], [`profile ${kind}`, makeProfile(kind)],
    [`needs ${kind}`, needTexts.get(kind) ?? ''],
  ] as const),
]))

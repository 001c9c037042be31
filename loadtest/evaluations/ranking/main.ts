/**
 * `npm run ranking`: fits the weights by which kinds are ranked (`src/language/rank-kinds.ts`) to
 * the lines of this folder and of `unseen`, and prints how many first kinds are right by rules and
 * by weights, of lines that the weights were not fitted to: a fifth of the kinds, and whole rounds.
 * `--write` fits to all lines and writes `config/kind-weights.json`; `--wrong` prints what stays
 * wrong.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { prepareUnderstanding, rankRequestOf } from '../../../src/language/understand.ts'
import { featuresOf, type RankRequest } from '../../../src/language/kind-features.ts'
import { ranked, type Weights } from '../../../src/language/rank-kinds.ts'
import { readJsonl } from '../jsonl.ts'
import type { Line } from '../unseen/check.ts'
import { fittedWeights, type Example } from './model.ts'

const FOLDER = new URL('./', import.meta.url)
const ROUNDS = ['1', '2', '3', '4', '5', '6', '7', '8',
  'development', 'development-2', 'development-3']
const WEIGHTS = new URL('../../../config/kind-weights.json', import.meta.url)
/** What rules were mended by says less of them than what they never saw. */
const MENDED_WEIGHT = 0.5
/** Rounds that are left out together with a fifth of the lines of this folder. */
const HELD_OUT = /^(?:8|development-3)$/
const SHARE = 5

const { values: options } = parseArgs({ options: {
  write: { type: 'boolean', default: false }, wrong: { type: 'boolean', default: false },
} })

interface Told { readonly say: string, readonly kinds: readonly string[] }
interface Source extends Told { readonly set: string, readonly weight: number }

const print = (text: string): void => { process.stdout.write(`${text}\n`) }

const ofRounds = (): Source[] => ROUNDS.flatMap((round) =>
  ['sentences', 'searches'].flatMap((set) => [...readJsonl<Line>(`unseen/${round}/${set}.jsonl`)]
    .filter(({ expect }) => expect.kinds !== undefined && expect.first !== 0)
    .map(({ say, expect }) => ({ say, kinds: expect.kinds ?? [], set: `${round}/${set}`,
      weight: HELD_OUT.test(round) ? 1 : MENDED_WEIGHT }))))

const ofFolder = (): Source[] => readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => [...readJsonl<Told>(new URL(name, FOLDER))]
    .map((line) => ({ ...line, set: name.replace('.jsonl', ''), weight: 1 })))

/** Which fifth a line belongs to: all lines of a kind stand in one. */
const fifthOf = ([kind = '']: readonly string[]): number =>
  [...kind].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) % SHARE

const isHeldOut = ({ set, kinds }: Source): boolean => {
  const [round = ''] = set.split('/')
  return HELD_OUT.test(round) || (!set.includes('/') && fifthOf(kinds) === 0)
}

interface Ranked extends Example, Source {
  readonly request: RankRequest
}

function exampleOf(source: Source): Ranked {
  const request = rankRequestOf(source.say)
  // What has no kind by rules, or names several goods, is not ranked.
  const isRanked = request.ruled.length > 0 && request.found.more.length === 0
  const candidates = isRanked ? [...featuresOf(request)] : []
  return { ...source, request, candidates: candidates.map(([kind, lists]) =>
    ({ isRight: source.kinds.includes(kind), features: lists.flat() })) }
}

const firstByRules = ({ request }: Ranked): string | undefined => request.ruled[0]?.value

const firstBy = (weights: Weights) => (one: Ranked): string | undefined =>
  one.candidates.length > 0 ? ranked(one.request, weights)[0]?.value : firstByRules(one)

function printTable(
  examples: readonly Ranked[], firstOf: (one: Ranked) => string | undefined,
): void {
  for (const set of new Set(examples.map((one) => one.set))) {
    const lines = examples.filter((one) => one.set === set)
    const share = (isRight: (one: Ranked) => boolean): string =>
      `${(lines.filter(isRight).length / lines.length * 100).toFixed(1)} %`
    print([set.padEnd(26), String(lines.length).padStart(5),
      'by rules', share((one) => one.kinds.includes(firstByRules(one) ?? '')),
      'by weights', share((one) => one.kinds.includes(firstOf(one) ?? '')),
      'among candidates', share(({ candidates }) => candidates.some(({ isRight }) => isRight)),
    ].join('  '))
    if (!options.wrong) continue
    for (const one of lines.filter((line) => !line.kinds.includes(firstOf(line) ?? ''))) {
      print(`    ${one.say} → ${firstOf(one)}, not ${one.kinds.slice(0, 3).join(', ')}`)
    }
  }
}

prepareUnderstanding()
const examples = [...ofRounds(), ...ofFolder()].map(exampleOf)
printTable(examples.filter(isHeldOut),
  firstBy(fittedWeights(examples.filter((one) => !isHeldOut(one)))))
if (options.write) {
  const weights = fittedWeights(examples)
  writeFileSync(WEIGHTS, `${JSON.stringify(Object.fromEntries(weights), null, 0)
    .replaceAll(',"', ',\n"')}\n`)
  print(`${weights.size} weights written`)
}

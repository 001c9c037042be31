/**
 * `npm run ranking`: fits the weights by which names are chosen (`language/choose-names.ts`) and
 * kinds ranked (`rank-kinds.ts`) to the lines of this folder and of `unseen`, and prints how many
 * first kinds are right by rules and by weights, of lines that the weights were not fitted to: a
 * fifth of the kinds, and whole rounds. Chances are those of the encoder's four folds, which
 * `encoder/README.md` says how to make. `--write` fits to all lines and writes
 * `config/name-weights.json` and `config/kind-weights.json`; `--wrong` prints what stays wrong.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { namesBeside } from '../../../src/language/choose-names.ts'
import { draftOf, prepareUnderstanding, rankRequestOf } from '../../../src/language/understand.ts'
import { featuresOf, type RankRequest } from '../../../src/language/kind-features.ts'
import {
  chancesBy, type ChancesOf, encoderOf, type EncoderFile,
} from '../../../src/language/kind-encoder.ts'
import { ranked } from '../../../src/language/rank-kinds.ts'
import { remembered } from '../../../src/language/recent.ts'
import type { Weights } from '../../../src/language/weights.ts'
import { readJsonl } from '../jsonl.ts'
import type { Line } from '../unseen/check.ts'
import { fittedWeights, type Example } from './model.ts'

const FOLDER = new URL('./', import.meta.url)
const UNSEEN = new URL('../unseen/', FOLDER)
const ROUNDS = readdirSync(UNSEEN, { withFileTypes: true })
  .filter((entry) => entry.isDirectory()).map(({ name }) => name)
const KIND_WEIGHTS = new URL('../../../config/kind-weights.json', import.meta.url)
const NAME_WEIGHTS = new URL('../../../config/name-weights.json', import.meta.url)
/** From this weight on a name means the kind. */
const NAMED = 0.5
/** Rounds that are left out together with a fifth of the lines of this folder. */
const HELD_OUT = /^(?:35|36|37|38|39|40|development-8)$/
const SHARE = 5

const { values: options } = parseArgs({ options: {
  write: { type: 'boolean', default: false }, wrong: { type: 'boolean', default: false },
} })

interface Told {
  readonly say: string
  readonly kinds?: readonly string[]
  /** Of several goods that are wanted at once the kinds of each. */
  readonly goods?: readonly (readonly string[])[]
}
interface Source {
  readonly say: string
  readonly goods: readonly (readonly string[])[]
  readonly kinds: readonly string[]
  readonly set: string
  readonly weight: number
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => made ??= make()
}

const print = (text: string): void => { process.stdout.write(`${text}\n`) }

/** Rules were written in sight of the other lines, and say less of those that nobody has seen. */
const UNSEEN_BY_RULES = {
  rounds: /^(?:35|36|39|40|development-(?:9|1[0-2]))\//, weight: 3,
} as const

const sourceOf = ({ say, kinds = [], goods = [kinds] }: Told, set: string): Source =>
  ({ say, kinds: goods.length > 1 ? [] : goods[0] ?? [], goods, set,
    weight: UNSEEN_BY_RULES.rounds.test(set) ? UNSEEN_BY_RULES.weight : 1 })

const setsOf = (round: string): string[] => ['sentences', 'searches']
  .filter((set) => existsSync(new URL(`${round}/${set}.jsonl`, UNSEEN)))

const ofRounds = (): Source[] => ROUNDS.flatMap((round) =>
  setsOf(round).flatMap((set) => [...readJsonl<Line>(`unseen/${round}/${set}.jsonl`)]
    .filter(({ expect }) => (expect.kinds ?? expect.goods) !== undefined && expect.first !== 0)
    .map(({ say, expect: { kinds, goods } }) => sourceOf({ say, ...kinds && { kinds },
      ...goods && { goods } }, `${round}/${set}`))))

const ofFolder = (): Source[] => readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => [...readJsonl<Told>(new URL(name, FOLDER))]
    .map((line) => sourceOf(line, name.replace('.jsonl', ''))))

/** Weights of the encoder that were not trained on the lines of one part (`encoder/train.py`). */
const ENCODER = new URL('../../../.data/encoder/', FOLDER)
const FOLDS = 4
const ofFold = Array.from({ length: FOLDS }, (_, fold) => once(() => encoderOf(
  JSON.parse(readFileSync(new URL(`fold-${fold}.json`, ENCODER), 'utf8')) as EncoderFile,
  readFileSync(new URL(`fold-${fold}.bin`, ENCODER)))))

const HASH_DIGITS = 8
/** The text and its portions. */
const PORTIONS = 12
/** By the encoder that was not trained on the line. */
function chancesFor(say: string): ChancesOf {
  const encoder = ofFold[foldOf(say)]!()
  return remembered(PORTIONS, (text) => chancesBy(encoder, text))
}

const foldOf = (say: string): number =>
  parseInt(createHash('md5').update(say).digest('hex').slice(0, HASH_DIGITS), 16) % FOLDS

/** Which fifth a line belongs to: all lines of a kind stand in one. */
const fifthOf = ([kind = '']: readonly string[]): number =>
  [...kind].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) % SHARE

const isHeldOut = ({ set, goods, say }: Source): boolean => {
  const [round = ''] = set.split('/')
  return (/^development-(?:9|1[0-2])$/.test(round) && say.length % SHARE === 0)
    || HELD_OUT.test(round)
    || (!set.includes('/') && fifthOf(goods[0] ?? []) === 0)
}

/** Whether each name beside others is one of those that are wanted. */
function nameExamples({ say, goods }: Source): Example[] {
  const names = namesBeside(draftOf(say), chancesFor(say))
  const wanted = names.map(([{ senses }]) => goods.some((kinds) =>
    senses.some(({ kind, weight: named }) => named >= NAMED && kinds.includes(kind))))
  // Where what is wanted is not named, the names say nothing of it.
  return !wanted.some(Boolean) ? [] : names.map(([, features], at) => ({ weight: 1, candidates: [
    { isRight: wanted[at] === true, features }, { isRight: wanted[at] !== true, features: [] }] }))
}

interface Ranked extends Example, Source {
  readonly request: RankRequest
}

function exampleOf(source: Source, names: Weights): Ranked {
  const request = rankRequestOf(source.say, names, chancesFor(source.say))
  // What names several goods is not ranked.
  const isRanked = request.found.more.length === 0
  const candidates = isRanked ? [...featuresOf(request)] : []
  return { ...source, request, candidates: candidates.map(([kind, lists]) =>
    ({ isRight: source.kinds.includes(kind), features: lists.flat() })) }
}

/** Of lines with several goods: whether each is found, and nothing else. */
function printSeveral(sources: readonly Source[], names: Weights): void {
  const lines = sources.filter(({ goods }) => goods.length > 1)
  for (const set of new Set(lines.map((one) => one.set))) {
    const of = lines.filter((one) => one.set === set)
    const right = of.filter((one) => {
      const { heads, more } = rankRequestOf(one.say, names, chancesFor(one.say)).found
      const named = [...heads.slice(0, 1), ...more]
      const isRight = named.length === one.goods.length && one.goods.every((kinds) =>
        named.some(({ senses }) => senses.some(({ kind }) => kinds.includes(kind))))
      if (!isRight && options.wrong) print(`    ${one.say} → ${named.map(({ key }) => key)}`)
      return isRight
    })
    print(`${set.padEnd(26)}  ${String(of.length).padStart(5)}  all of several goods  `
      + `${(right.length / of.length * 100).toFixed(1)} %`)
  }
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
      'taken for several', share(({ request }) => request.found.more.length > 0),
    ].join('  '))
    if (!options.wrong) continue
    for (const one of lines.filter((line) => !line.kinds.includes(firstOf(line) ?? ''))) {
      print(`    ${one.say} → ${firstOf(one)}, not ${one.kinds.slice(0, 3).join(', ')}`)
    }
  }
}

/** Both models, of the names and of the kinds, which are ranked as the names leave them. */
function fitted(sources: readonly Source[]) {
  const names = fittedWeights(sources.flatMap(nameExamples))
  const kinds = fittedWeights(sources.filter((one) => one.kinds.length > 0)
    .map((one) => exampleOf(one, names)))
  return { names, kinds }
}

/**
 * The network that is committed has seen all lines, and those that the weights are fitted with
 * three quarters of them: its chances are worth more. Chosen by 2,463 lines that nothing had seen.
 */
const WORTH = 1.5
const withWholeNetwork = (weights: Weights): Weights => new Map([...weights].map(([name, weight]) =>
  [name, /^chance\b/.test(name) ? Math.round(weight * WORTH * 100) / 100 : weight]))

function write(file: URL, weights: Weights): void {
  const lines = [...weights].map(([name, weight]) => `${JSON.stringify(name)}: ${weight}`)
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
  print(`${weights.size} weights written`)
}

prepareUnderstanding()
const sources = [...ofRounds(), ...ofFolder()]
if (options.write) {
  const all = fitted(sources)
  write(NAME_WEIGHTS, all.names)
  write(KIND_WEIGHTS, withWholeNetwork(all.kinds))
} else {
  const heldOut = sources.filter(isHeldOut)
  const { names, kinds } = fitted(sources.filter((one) => !isHeldOut(one)))
  printTable(heldOut.filter((one) => one.kinds.length > 0).map((one) => exampleOf(one, names)),
    firstBy(kinds))
  printSeveral(heldOut, names)
}

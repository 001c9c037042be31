/**
 * `npm run encoder`: writes into `.data/encoder` what the two networks are trained on, as numbers
 * of pieces, with the lists of the pieces, which are counted from these texts: for `train.py`, of
 * `language/kind-encoder.ts`, all texts of which the kinds are known; for `train_values.py`, of
 * `language/value-encoder.ts`, ways to say values and lines with the values that they ask for.
 */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { taxonomy } from '../../../src/goods/taxonomy.ts'
import { tokensIn } from '../../../src/language/text-encoder.ts'
import { prepareUnderstanding } from '../../../src/language/understand.ts'
import { madeTexts } from './made.ts'
import { attributes, kinds as kindValues, valueLines, valuePhrases } from './values.ts'
import { vocabularyOf } from './vocabulary.ts'
import { lines, maskedLines, phrases, type Text } from './texts.ts'

const FOLDER = new URL('../../../.data/encoder/', import.meta.url)
/** Nothing and what is unknown stand before. */
const FIRST_PIECE = 2
/** In so many texts a word has to stand to be a piece. */
const WORDS = { kinds: 8, values: 3 } as const
const PLAIN = 150_000
const TOLD = 300_000

const kinds = [...taxonomy().kinds.keys()]
const placeOf = new Map(kinds.map((kind, place) => [kind, place]))

function* texts(): Generator<Text> {
  yield* phrases()
  yield* lines()
  yield* maskedLines()
  yield* madeTexts(PLAIN, TOLD)
}

/** The pieces that texts are made up of, and how to read one. */
function piecesOf(all: readonly { readonly text: string }[], leastOfWords: number) {
  const pieces = vocabularyOf(all, leastOfWords)
  const known = new Map(pieces.map((piece, at) => [piece, at + FIRST_PIECE]))
  return { pieces, read: (text: string) => tokensIn(text, known).map(({ piece }) => piece) }
}

function write(name: string, all: Iterable<unknown>): void {
  const file = openSync(new URL(name, FOLDER), 'w')
  for (const one of all) writeSync(file, `${JSON.stringify(one)}\n`)
  closeSync(file)
}

function writeKinds(): void {
  const all = [...texts()].filter(({ text }) => text.trim() !== '')
  const { pieces, read } = piecesOf(all.filter(({ set }) => !set.startsWith('made')),
    WORDS.kinds)
  writeFileSync(new URL('lists.json', FOLDER), JSON.stringify({ kinds, pieces }))
  write('texts.jsonl', all.map(({ kinds: wanted, ...one }) => ({ ...one, pieces: read(one.text),
    kinds: wanted.map((kind) => placeOf.get(kind)) })))
  process.stdout.write(`${all.length} texts, ${pieces.length} pieces, ${kinds.length} kinds\n`)
}

function writeValues(): void {
  const said = [...valuePhrases()]
  const told = valueLines()
  const names = [...kindValues.values()].flatMap((kind) => kind.names)
  const { pieces, read } = piecesOf([...said.map((one) => ({ text: one.said })), ...told,
    ...names.map((text) => ({ text }))], WORDS.values)
  writeFileSync(new URL('values.json', FOLDER), JSON.stringify({ pieces,
    attributes: Object.fromEntries(attributes), values: [...attributes.values()].flat().map(read),
    kinds: Object.fromEntries([...kindValues].map(([kind, { groups, names: own }]) =>
      [kind, { groups, names: own.map(read) }])) }))
  write('value-phrases.jsonl', said.map((one) => ({ pieces: read(one.said), of: one.of })))
  write('value-lines.jsonl', told.map((one) => ({ ...one, pieces: read(one.text) })))
  process.stdout.write(`${said.length} ways to say values, ${told.length} lines, `
    + `${pieces.length} pieces\n`)
}

prepareUnderstanding()
mkdirSync(FOLDER, { recursive: true })
if (!process.argv.includes('--values')) writeKinds()
writeValues()

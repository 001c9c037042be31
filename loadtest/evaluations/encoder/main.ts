/**
 * `npm run encoder`: writes into `.data/encoder` what `train.py` trains the network of
 * `language/kind-encoder.ts` on: all texts of which the kinds are known, as numbers of their
 * pieces, and the list of the pieces, which is counted from these texts.
 */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { taxonomy } from '../../../src/goods/taxonomy.ts'
import { tokensIn } from '../../../src/language/kind-encoder.ts'
import { prepareUnderstanding } from '../../../src/language/understand.ts'
import { madeTexts } from './made.ts'
import { vocabularyOf } from './vocabulary.ts'
import { lines, maskedLines, phrases, type Text } from './texts.ts'

const FOLDER = new URL('../../../.data/encoder/', import.meta.url)
/** Nothing and what is unknown stand before. */
const FIRST_PIECE = 2
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

prepareUnderstanding()
mkdirSync(FOLDER, { recursive: true })
const all = [...texts()].filter(({ text }) => text.trim() !== '')
const pieces = vocabularyOf(all.filter(({ set }) => !set.startsWith('made')))
const known = new Map(pieces.map((piece, at) => [piece, at + FIRST_PIECE]))
writeFileSync(new URL('lists.json', FOLDER), JSON.stringify({ kinds, pieces }))
const file = openSync(new URL('texts.jsonl', FOLDER), 'w')
for (const { kinds: wanted, ...one } of all) {
  writeSync(file, `${JSON.stringify({ ...one, pieces: tokensIn(one.text, known),
    kinds: wanted.map((kind) => placeOf.get(kind)) })}\n`)
}
closeSync(file)
process.stdout.write(`${all.length} texts, ${pieces.length} pieces, ${kinds.length} kinds\n`)

/**
 * Folded text in its smallest pieces: Han characters, Latin words, numbers, and measures, which
 * are a number with its unit in one spelling: `500 毫升`, `500ML` and `0.5L` are all `500ml`.
 */
export interface Atom {
  readonly type: 'han' | 'latin' | 'number' | 'measure'
  readonly text: string
  /** What stands between it and the atom before. */
  readonly gap: string
  /** Of a measure, the number as it is written. */
  readonly number?: string
}

/** Longer words are cut, in texts and in queries alike. */
const TEXT_LENGTH_MAX = 32

/** Letters and numbers of scripts that do without spaces; their radicals are symbols. */
const HAN = '[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\u30fc]'
  + '&&[\\p{L}\\p{M}\\p{N}]]'
const PIECES = new RegExp(
  `(${HAN})|(\\d+(?:\\.\\d+)?|\\p{N})|[[\\p{L}\\p{M}]--${HAN}]+`, 'gv')

export function atomsOf(text: string): Atom[] {
  const atoms: Atom[] = []
  let end = 0
  for (const match of text.matchAll(PIECES)) {
    const [piece, han, number] = match
    const gap = text.slice(end, match.index)
    end = match.index + piece.length
    // A decimal point would end the word in the index; an underscore is part of it.
    const word = piece.replace('.', '_').slice(0, TEXT_LENGTH_MAX)
    atoms.push({ type: han ? 'han' : number ? 'number' : 'latin', text: word, gap })
  }
  return withMeasures(atoms)
}

/** Unit → its canonical spelling, and how many of that it is. */
const UNITS = new Map<string, readonly [unit: string, factor: number]>(Object.entries({
  ml: ['ml', 1], 毫升: ['ml', 1], l: ['ml', 1000], 升: ['ml', 1000],
  // Storage is often written with G alone, so that a gram and a gigabyte cannot be told apart.
  g: ['g', 1], gb: ['g', 1], 克: ['g', 1], kg: ['g', 1000], 公斤: ['g', 1000], 千克: ['g', 1000],
  斤: ['g', 500], tb: ['tb', 1], t: ['tb', 1], mg: ['mg', 1], 毫克: ['mg', 1],
  克拉: ['ct', 1], ct: ['ct', 1],
  mm: ['mm', 1], 毫米: ['mm', 1], cm: ['mm', 10], 厘米: ['mm', 10], 公分: ['mm', 10],
  m: ['mm', 1000], 米: ['mm', 1000],
  英寸: ['inch', 1], 寸: ['inch', 1], 吋: ['inch', 1], inch: ['inch', 1],
  w: ['w', 1], 瓦: ['w', 1], kw: ['w', 1000], 千瓦: ['w', 1000],
  mah: ['mah', 1], 毫安: ['mah', 1], 毫安时: ['mah', 1],
  hz: ['hz', 1], 赫兹: ['hz', 1], v: ['v', 1], 伏: ['v', 1],
  小时: ['h', 1], h: ['h', 1], 分钟: ['min', 1], min: ['min', 1],
}))
const UNIT_LENGTH_MAX = 3

function withMeasures(atoms: readonly Atom[]): Atom[] {
  const result: Atom[] = []
  for (let at = 0; at < atoms.length; at += 1) {
    const atom = atoms[at] as Atom
    const [unit, length] = atom.type === 'number' ? unitAfter(atoms, at) : []
    if (unit === undefined || length === undefined) {
      result.push(isTimes(atoms, at) ? { ...atom, type: 'latin', text: '' } : atom)
      continue
    }
    const [name, factor] = UNITS.get(unit) ?? ['', 1]
    const amount = Number(atom.text.replace('_', '.')) * factor
    const text = `${String(Number(amount.toFixed(3))).replace('.', '_')}${name}`
    result.push({ type: 'measure', text, gap: atom.gap, number: atom.text })
    at += length
  }
  return result.filter(({ text }) => text !== '')
}

/** The unit that a number is written with, unless it is a part of a name such as `X5L2`. */
function unitAfter(atoms: readonly Atom[], at: number): [unit: string, atoms: number] | [] {
  const [before, number, next] = [atoms[at - 1], atoms[at], atoms[at + 1]]
  if (!number || !next || (next.gap !== '' && next.gap !== ' ')) return []
  if (before?.type === 'latin' && isJoin(number.gap) && !isTimes(atoms, at - 1)) return []
  if (next.type === 'latin') {
    const after = atoms[at + 2]
    const isName = after !== undefined && after.type !== 'han' && after.gap === ''
    return UNITS.has(next.text) && (!isName || isTimes(atoms, at + 2)) ? [next.text, 1] : []
  }
  for (let length = UNIT_LENGTH_MAX; length > 0 && next.type === 'han'; length -= 1) {
    const unit = atoms.slice(at + 1, at + 1 + length)
    const isOne = unit.length === length
      && unit.every(({ type, gap }, index) => type === 'han' && (index === 0 || gap === ''))
    const text = unit.map((one) => one.text).join('')
    if (isOne && UNITS.has(text)) return [text, length]
  }
  return []
}

/** What joins the parts of one name. */
export const isJoin = (gap: string): boolean => gap === '' || /^[-‐–_.&'’]$/.test(gap)

/** `30x40` is two numbers, as `30×40` is. */
const isTimes = (atoms: readonly Atom[], at: number): boolean =>
  atoms[at]?.text === 'x' && atoms[at].gap === '' && atoms[at - 1]?.type === 'number'
  && atoms[at + 1]?.type === 'number' && atoms[at + 1]?.gap === ''

/** Neighbours that are read as one: Han characters of a run, parts of a name. */
export interface Run {
  readonly start: number
  readonly end: number
  readonly isHan: boolean
}

/** Runs of the atoms from `start` to `end`. A measure is a run of its own. */
export function runsOf(atoms: readonly Atom[], start = 0, end = atoms.length): Run[] {
  const runs: { start: number, end: number, isHan: boolean }[] = []
  for (let at = start; at < end; at += 1) {
    const { type, gap } = atoms[at] as Atom
    const run = runs.at(-1)
    const isHan = type === 'han'
    const before = atoms[at - 1]?.type
    const continues = run !== undefined && run.isHan === isHan
      && (isHan ? gap === '' : isJoin(gap) && type !== 'measure' && before !== 'measure')
    if (continues) run.end = at + 1
    else runs.push({ start: at, end: at + 1, isHan })
  }
  return runs
}

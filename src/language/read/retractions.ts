/**
 * What is taken back: 眼影，不对，是腮红; "a kettle, no wait, a toaster". What stands behind says
 * what takes the place of what: goods of goods, 三箱 of 两箱, a colour of a colour.
 */
import { isColour } from '../facts/appearance.ts'
import { attributesIn } from './attributes.ts'
import type { Place } from './claims.ts'
import { namesIn } from './names.ts'
import { numbersIn } from './numbers.ts'

const SIGN = '[;,.。!?()…~-]'
const SIGH = '(?:[啊哦噢呃额嗯呀哎诶欸喔唉]+[;, ]?)?'
/** Said apart from what stands before, and for 不是 also from what stands behind. */
const APART = '不对|不不+|错了|等等|等一?下|口误|更正|抱歉|(?:我)?(?:说|打|写|搞|弄|记|看|发)错(?:字)?了?'
  + `|改主意了?|不(?:是)?(?=${SIGN})`
/** Said right behind the goods as well. */
const ANYWHERE = String.raw`(?:还是)?算了(?:吧)?(?=[;, ]|\p{Script=Han}|\d)`
  + '|(?:还是|现在)?(?:改成|改为|改买|换成|改要)'
/** 24寸能登机不？不能的话要20寸: what does not do is replaced. */
const ELSE = '(?:如果|要是|万一)?(?:不能|不行|不可以|太[大小短长高])的话[ ,]*(?:那|我)?(?:就|再)?(?:要|换成?|买|来|选)?个?(?=\\d)'
const LATIN = 'no,? wait|wait,? no|wait|hold on|actually|scratch that|strike that|oops|whoops'
  + '|sorry|i mean(?:t)?|make (?:that|it)|on second thoughts?|never ?mind|correction|or rather'
  + '|no(?=,? (?:an?|the|some|i|my) )'
/** What only leads to what is meant instead. */
const LEADING = `(?:${SIGN}| |了|啊|吧|哈|是|我想说|我的意思|的是|i mean(?:t)?|i want|not that)*`
const PARTED = new RegExp(`(?:(?:^|${SIGN}| ) *${SIGH}(?:(?:现在)?我?(?:${APART}))+`
  + `|(?<!就|的|也)(?:${ANYWHERE})|${ELSE}|${SIGN} *(?:${LATIN})(?![a-z]))${LEADING}`, 'gu')
const CUES_MAX = 3
/** 两箱 of 两箱牛奶 goes with it. */
const COUNT_BEFORE = new RegExp('(?:[一二两三四五六七八九十几\\d]+|(?<![a-z])(?:an?|two|three|four|some))'
  + '[个只件条双瓶盒包袋支把台套根张块本箱份]? ?$')
/** 10升以上: what bounds a number is taken back with it. */
const BOUND = '以上|以下|以内|之内|左右|上下|往上|往下'
const UNIT = new RegExp(`^ ?(?!${BOUND})(?:[毫厘公千英平小][安升米克斤里寸方时]米?`
  + '|\\p{Script=Han}|[a-z]+)', 'u')
/** 1升 may stand for 500ml. */
const ALIKE = ['毫升|升|ml|l|liters?', '克|千克|公斤|斤|g|kg', '厘米|毫米|米|寸|英寸|cm|mm|m']
  .map((units) => new RegExp(`^ ?(?:${units})(?![a-z])`))
const BOUND_BEHIND = new RegExp(`^ ?(?:${BOUND})`)
const BOUND_BEFORE = new RegExp('(?:至少|最少|起码|不低于|不小于|不少于|大于|超过|最多|最大|不超过|不大于|小于|低于)'
  + '(?:要|得|是|有)?$|(?<![a-z])(?:at (?:least|most)|over|under|up to) $')

export interface Edit extends Place {
  readonly to: string
  /** Where what takes its place was written. */
  readonly by?: Place
}

/** None overlap; what is taken back becomes spaces, and a number its better. */
export function retractions(text: string): Edit[] {
  const edits: Edit[] = []
  for (const { 0: said, index } of [...text.matchAll(PARTED)].slice(0, CUES_MAX)) {
    const end = index + said.length
    const from = edits.at(-1)?.end ?? 0
    if (index < from || index === 0) continue
    const found = takenBack(text, { start: index, end }, from)
    if (found.length > 0) edits.push(...found)
  }
  return edits.sort((one, other) => one.start - other.start)
}

function takenBack(text: string, cue: Place, from: number): Edit[] {
  const before = ' '.repeat(from) + text.slice(from, cue.start)
  const behind = text.slice(cue.end)
  const isNumber = /^\d/.test(behind)
  const number = isNumber ? numbersBack(text, before, cue) : undefined
  if (number) return number
  const [name] = namesIn(before).slice(-1)
  if (namesIn(behind).length > 0) {
    if (!name) return []
    const count = COUNT_BEFORE.exec(before.slice(0, name.start))?.[0].length ?? 0
    return [{ start: name.start - count, end: name.end, to: ' ' }, { ...cue, to: ';' }]
  }
  return numbersBack(text, before, cue) ?? coloursBack(before, behind, cue)
}

function numbersBack(text: string, before: string, cue: Place): Edit[] | undefined {
  const [better] = numbersIn(text.slice(cue.end))
  if (!better) return undefined
  const place = { start: cue.end + better.start, end: cue.end + better.end }
  const unit = UNIT.exec(text.slice(place.end, place.end + 16))?.[0].trim() ?? ''
  const olds = numbersIn(before)
  const alike = ALIKE.filter((units) => units.test(text.slice(place.end)))
  const same = unit === '' ? undefined
    : olds.findLast(({ end }) => before.slice(end).trimStart().startsWith(unit.replace(/s$/, '')))
      ?? olds.findLast(({ end }) => alike.some((units) => units.test(before.slice(end))))
  if (same) {
    const by = bounded(text, place, cue.end)
    return [{ ...bounded(before, same, 0), to: text.slice(by.start, by.end), by },
      { start: cue.start, end: by.end, to: ' ' }]
  }
  const [old] = olds.slice(-1)
  // 300 of 算了300吧 is another price, and no further one.
  return old && /^(?:吧|$|[;,.。! ])/.test(text.slice(place.end)) && place.start - cue.end <= 2
    ? [{ start: old.start, end: old.end, to: text.slice(place.start, place.end) },
      { start: cue.start, end: place.end, to: ' ' }] : undefined
}

/** A number with its unit and what bounds it, from somewhere on. */
function bounded(text: string, { start, end }: Place, from: number): Place {
  const until = end + (UNIT.exec(text.slice(end, end + 16))?.[0].length ?? 0)
  return { start: start - (BOUND_BEFORE.exec(text.slice(from, start))?.[0].length ?? 0),
    end: until + (BOUND_BEHIND.exec(text.slice(until, until + 4))?.[0].length ?? 0) }
}

function coloursBack(before: string, behind: string, cue: Place): Edit[] {
  const colours = (said: string): Place[] => attributesIn(said)
    .filter(({ start, end }) => isColour(said.slice(start, end)))
  const [old] = colours(before).slice(-1)
  return old && colours(behind).length > 0
    ? [{ start: old.start, end: old.end, to: ' ' }, { ...cue, to: ';' }] : []
}

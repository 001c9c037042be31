/** What a sentence says of features in so many words: 不要塑料, 带提手, no leather, with a lid. */
import type { Claims, Place } from './claims.ts'
import type { Name } from './names.ts'

export interface Clause extends Place {
  /** Where the cue began; the wishes stand behind it. */
  readonly objects: readonly Place[]
}

const NO_HAN = new RegExp('(?:千万|坚决|绝对|一律|就是|我)*(?:不(?:想|需)?要(?:任何|那种|什么|用)?|不想用|别要|'
  + '别给我|别(?=[太是有带用放加含])(?:是|有|带|用|放|加|含)?'
  + '|不(?:能|想|可以|可)(?=太)|不(?:能|得|可|可以)?(?:含有?|带有?|加|是)|不(?:能|得|可以?)有|不喜欢|不接受|不考虑|拒绝|排除|避免|讨厌'
  + '|除了|(?<!有)没有)', 'g')
const NO_LATIN = new RegExp('(?<![a-z0-9\'])(?:(?:i )?(?:do not|don\'t|dont|doesn\'t|'
  + 'does not) (?:want|need|like|have|contain)(?: any)?|without|'
  + 'w/o'
  + '|no(?! (?:more|less|over|higher|problem|idea|matter|under|below))|'
  + 'not(?! (?:more|less|over|exceed|under|above|below|higher|only|'
  + 'sure))(?: made (?:of|from|with))?'
  + '|avoid|except|excluding|free of|nothing (?:with|made of)|non(?= ))(?![a-z0-9])', 'g')
const YES_HAN = new RegExp(
  String.raw`(?<![^\0-\x7f要的需是且并还得能。、])(?:必须(?:是|有|带|要)?|一定要(?:有|带|是)?|要(?=[有带能是])(?:有|带|`
  + String.raw`是)?|最好(?:是|有|带|能)|带有?(?!个?人)|含有?|支持|有(?![没什啥哪吗推便点人一木哦效货])|能(?![推送买帮找给不用])|`
  + String.raw`可以(?![推送买帮找给吗]))`, 'gu')
const YES_LATIN = new RegExp(
  String.raw`(?<![a-z0-9'])(?:with(?! (?:a )?budget)|must have|has to have|must be|`
  + String.raw`has to be|needs to be|should have|should be|that has|featuring|made (?:of|`
  + String.raw`from)|has)(?![a-z0-9'])`, 'g')
const WANT = /(?<![不想需只必还主])要(?![买不求送给推找用去想么])/g
const LEAD = new RegExp(
  String.raw`^(?: |任何|那种|这种|太(?=贵)|一个|个|有|带|含|是|用|the |an? |any |too (?=expensive)|`
  + String.raw`made of |made from |with |of |some |those |in )+`)
const STOP_HAN = /[;,.。!?()]|的|都|外$|以外|之外|其他|但|只要|要|可以|也|就|谢|最好|预算|带|有(?!机)|能|还|价格|最多|给|适合|用来|推荐/
const CONJUNCTION = /^ ?(?:和|或者?|、|跟|与|及|以及|\/|,? ?(?:and|or)(?![a-z])|,) ?/
const STOP_LATIN = new Set(['and', 'or', 'but', 'for', 'please', 'with', 'under', 'over', 'below',
  'budget', 'that', 'which', 'thanks', 'if', 'in', 'i', 'on', 'no', 'not', 'without', 'around',
  'about', 'at', 'to', 'is', 'are', 'it', 'max', 'less', 'from', 'only', 'good', 'cheap'])
const HAN_MAX = 10
const WORDS_MAX = 3
const OBJECTS_MAX = 5

export const refusals = (text: string, claims: Claims): Clause[] =>
  [...clauses(text, NO_HAN, claims), ...clauses(text, NO_LATIN, claims)].sort(byStart)

export const demands = (text: string, claims: Claims, names: readonly Name[]): Clause[] => [
  ...clauses(text, YES_HAN, claims), ...clauses(text, YES_LATIN, claims),
  // 要 before the goods buys them; behind them it says what they should be.
  ...clauses(text, WANT, claims).filter(({ start, objects }) =>
    names.some(({ end }) => end <= start) && objects.every((object) =>
      !/[a-z0-9]/.test(text.slice(object.start, object.end)))),
].sort(byStart)

const byStart = (left: Place, right: Place): number => left.start - right.start

function clauses(text: string, cue: RegExp, claims: Claims): Clause[] {
  const found: Clause[] = []
  let end = 0
  for (const match of text.matchAll(cue)) {
    const from = match.index + match[0].length
    if (match.index < end || !claims.isFree(match.index, from)) continue
    const objects = objectsAfter(text, from, claims)
    const last = objects.at(-1)
    if (!last) continue
    found.push({ start: match.index, end: last.end, objects })
    end = last.end
  }
  return found
}

/** Up to where the clause goes; 塑料和玻璃 are two. */
export function objectsAfter(text: string, from: number, claims: Claims): Place[] {
  const objects: Place[] = []
  let at = from
  while (objects.length < OBJECTS_MAX) {
    at += LEAD.exec(text.slice(at, at + 30))?.[0].length ?? 0
    const object = objectAt(text, at, claims)
    if (!object) break
    objects.push(object)
    const conjunction = CONJUNCTION.exec(text.slice(object.end, object.end + 8))
    // A comma alone may begin something else.
    if (!conjunction || /^ ?,$/.test(conjunction[0].trim())) break
    at = object.end + conjunction[0].length
  }
  return objects
}

function objectAt(text: string, start: number, claims: Claims): Place | undefined {
  const isLatin = /[a-z0-9]/.test(text.charAt(start))
  let end = start
  if (isLatin) {
    const words = /^[a-z0-9'%.-]+(?: [a-z0-9'%-]+)*/.exec(text.slice(start, start + 60))?.[0] ?? ''
    for (const [index, word] of words.split(' ').slice(0, WORDS_MAX).entries()) {
      const next = end + word.length + (index > 0 ? 1 : 0)
      if (STOP_LATIN.has(word) || !claims.isFree(next - word.length, next)) break
      end = next
    }
  } else {
    const conjunction = /^(?:和|或|、|跟|与|及|\/)/
    while (end < text.length && end - start < HAN_MAX) {
      const rest = text.slice(end, end + 4)
      const isStop = rest.startsWith(' ') || !claims.isFree(end, end + 1)
        || (end > start && STOP_HAN.exec(rest)?.index === 0) || /^[;,.。!?的]/.test(rest)
      if (isStop || (end > start && conjunction.test(rest))) break
      end += 1
    }
  }
  return end > start ? { start, end } : undefined
}

/**
 * 不要塑料水壶 refuses 塑料 where the kettle is what is wanted, and the whole where other goods
 * are named besides.
 */
export function withoutGoods(objects: readonly Place[], names: readonly Name[]): Place[] {
  return objects.map((object) => {
    const noun = names.find(({ start, end }) => end === object.end && start > object.start)
    const isOnly = noun
      && !names.some(({ start, end }) => end <= object.start || start >= object.end)
    return isOnly ? { start: object.start, end: noun.start } : object
  })
}

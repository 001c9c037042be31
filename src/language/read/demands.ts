/** What a sentence says of features in so many words: 带提手, with a lid. */
import { getLexicon } from '../lexicon.ts'
import { remembered } from '../recent.ts'
import { attributesIn, featureAt } from './attributes.ts'
import type { Claims, Place } from './claims.ts'
import type { Name } from './names.ts'

export interface Clause extends Place {
  /** Where the cue began; the wishes stand behind it. */
  readonly objects: readonly Place[]
}

const YES_HAN = new RegExp(
  String.raw`(?<![^\0-\x7f要的需是且并还得能。、])(?:必须(?:是|有|带|要)?|一定要(?:有|带|是)?|要(?=[有带能是])(?:有|带|`
  + String.raw`是)?|最好(?:是|有|带|能)|带有?(?!个?人)|含有?|支持|(?<!还)有(?![没什啥哪吗推便点人一木哦效货]|别的|合适)|`
  + String.raw`能(?![推送买帮找给不用])|可以(?![推送买帮找给吗]))`, 'gu')
const YES_LATIN = new RegExp(
  String.raw`(?<![a-z0-9'])(?:with(?! (?:a )?budget)|must have|has to have|must be|`
  + String.raw`has to be|needs to be|should have|should be|that has|featuring|made (?:of|`
  + String.raw`from)|has)(?![a-z0-9'])`, 'g')
const WANT = /(?<![不想需只必还主])要(?![买不求送给推找用去想么])/g
const LEAD = new RegExp(
  String.raw`^(?: |任何|那种|这种|那些|什么|太(?=贵)|一个|个|有|带|含|是|用|the |an? |`
  + String.raw`any |anything |too much |too (?=expensive)|`
  + String.raw`made of |made from |with |of |some |those |in )+`)
const STOP_HAN = new RegExp('[;,.。!?()]|的|都|外$|以外|之外|其[他它]|别的|什么|啥|哪[种款个]|[做泡煮制腌炸]的|但|只要|要|可以|也|就|谢'
  + '|[这那]种|[这那]类|之类|什么的|最好|预算|带|有(?!机)|能|还|价格|最多|给|适合|用来|推荐'
  + '|[不别](?:[想需]?要|用|带|含|加|放)')
const CONJUNCTION = /^ ?[款类]?(?:和|或者?|、|跟|与|及|以及|\/|,? ?(?:and|or|nor)(?![a-z])|,) ?/
const STOP_LATIN = new Set(['and', 'or', 'nor', 'but', 'for', 'please', 'with', 'under', 'over',
  'below',
  'budget', 'that', 'which', 'thanks', 'if', 'in', 'i', 'on', 'no', 'not', 'without', 'around',
  'about', 'at', 'to', 'is', 'are', 'it', 'max', 'less', 'from', 'only', 'good', 'cheap'])
const HAN_MAX = 10
const WORDS_MAX = 3
const OBJECTS_MAX = 5

export const demands = (text: string, claims: Claims, names: readonly Name[]): Clause[] => [
  ...clauses(text, YES_HAN, claims), ...clauses(text, YES_LATIN, claims),
  // 要 before the goods buys them; behind them it says what they should be.
  ...clauses(text, WANT, claims).filter(({ start, objects }) =>
    names.some(({ end }) => end <= start) && objects.every((object) =>
      !/[a-z0-9]/.test(text.slice(object.start, object.end)))),
].sort(byStart)

export const byStart = (left: Place, right: Place): number => left.start - right.start

export function clauses(text: string, cue: RegExp, claims: Claims): Clause[] {
  const found: Clause[] = []
  let end = 0
  for (const match of text.matchAll(cue)) {
    const from = match.index + match[0].length
    if (match.index < end || !claims.isFree(match.index, from)) continue
    // 有尼康的单反吗 asks for goods of the brand.
    if (match[0] === '有' && getLexicon().brands.at(text, from)) continue
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
  // 带点什么 demands nothing.
  if (/^[点些]儿?(?:什么|啥|$|[ ,;。?])/.test(text.slice(from))) return []
  let at = from
  while (objects.length < OBJECTS_MAX) {
    // 有线 is a feature, 有 before 灯 is not.
    const lead = LEAD.exec(text.slice(at, at + 30))?.[0].length ?? 0
    at += featureAt(text, at) ? 0 : lead
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
    const words = /^[a-z0-9'%.-]*[a-z0-9'%](?: [a-z0-9'%-]+)*/
      .exec(text.slice(start, start + 60))?.[0] ?? ''
    for (const [index, word] of words.split(' ').slice(0, WORDS_MAX).entries()) {
      const next = end + word.length + (index > 0 ? 1 : 0)
      if (STOP_LATIN.has(word) || !claims.isFree(next - word.length, next)) break
      end = next
    }
    // 304不锈钢 is one word.
    const feature = featureAt(text, start)
    const isWhole = feature && end > start && claims.isFree(start, feature.end)
    if (isWhole) end = Math.max(end, feature.end)
  } else {
    const conjunction = /^(?:和|或|、|跟|与|及|\/)/
    while (end < text.length && end - start < HAN_MAX) {
      const rest = text.slice(end, end + 4)
      const isStop = rest.startsWith(' ')
        || /^[款类](?:和|或|、|跟|与|及|\/)/.test(rest) || !claims.isFree(end, end + 1)
        || (end > start && STOP_HAN.exec(rest)?.index === 0) || /^[;,.。!?的]/.test(rest)
      // 高跟 and 粗跟 join nothing.
      const isJoint = end > start && conjunction.test(rest)
        && !/[高低粗细坡平]跟$/.test(text.slice(start, end + 1))
      if (isStop || isJoint) break
      end += 1
    }
  }
  return end > start ? { start, end } : undefined
}

/**
 * 不要塑料水壶 refuses 塑料 where the kettle is what is wanted, and the whole where other goods
 * are named besides.
 */
export function withoutGoods(
  text: string, objects: readonly Place[], names: readonly Name[],
): Place[] {
  return objects.map((object) => {
    const noun = names.find(({ start, end }) => end === object.end && start > object.start)
    // 塑料水杯 is a name of its own.
    const [first] = attributesIn(text.slice(object.start, object.end))
    const isSame = names.length === 1 && names[0]?.start === object.start
      && names[0].end === object.end
    if (isSame && first?.start === 0 && object.start + first.end < object.end) {
      return { start: object.start, end: object.start + first.end }
    }
    const isOnly = noun
      && !names.some(({ start, end }) => end <= object.start || start >= object.end)
    return isOnly ? { start: object.start, end: noun.start } : object
  })
}

const ONLY = new RegExp('(?:只(?:要|考虑|认|看|买|能要?|收|接受|限)|必须|一定[要得]|非得?|就要|(?<![a-z])(?:only'
  + '|strictly|must (?:be|have)|has to (?:be|have)|needs? to be))(?:是|有|带|得|的|an?|the| )*$')
const ONLY_BEHIND = new RegExp('^(?:的|款|那种|这种|ones?|style|type|version| )*'
  + '(?:only(?![a-z])|才(?:行|要|考虑|买|可以)|不可$)')
/** Behind everything: nothing else will do. */
const OTHERS = new RegExp('^[的款型装式码号]{0,3}[;,.。!? ]+(?:其他|其它|别的|另外|剩下)的?(?:颜色|款式?|类型|种类|牌子|品牌|材质'
  + '|口味|型号|尺寸|规格)?(?:我|都|就|也|一律|一概|统统|通通)*(?:不要|不考虑|不看|不行|不买|不用|免谈|算了|免了)'
  + '|^[a-z ]{0,8}[;,.。!? ]+(?:nothing else|no others?|no substitutes?)(?![a-z])')

const REFUSED = '(?:我|就|都|也|一律|一概|坚决|统统|全部|通通)*'
  + '(?:不(?:要|考虑|买|看|收|接受)了?|免谈|别(?:给我)?(?:推荐?|看|来))'
/** 不是罗技的不要, 不带盖的水杯不考虑: what is not so is refused. */
const ONLY_SUCH = new RegExp('(?<![是要能会可有])(?:不是|非|没(?=有)|不(?=[带能会可支防含]))'
  + `[^;,.。!?、 的不]{1,8}的\\p{Script=Han}{0,6}?${REFUSED}(?=$|[;,.。!? ])`, 'gu')
const CUE = /^(?:不是|非|没|不)/
const NONE = new RegExp(`${REFUSED}$`, 'u')

/** Each wish of a sentence asks. */
const RECENT_MAX = 10

/** What says that nothing else does, before and behind what does. */
export const onlySuch: (text: string) => readonly (readonly [cue: Place, end: Place])[] =
  remembered(RECENT_MAX, (text) => Array.from(text.matchAll(ONLY_SUCH), ({ 0: said, index }) => [
    { start: index, end: index + (CUE.exec(said)?.[0].length ?? 0) },
    { start: index + (NONE.exec(said)?.index ?? said.length), end: index + said.length },
  ] as const))

export const isOnlySuch = (text: string, { start, end }: Place): boolean =>
  onlySuch(text).some(([cue, none]) => cue.end <= start && end <= none.start)

/** Whether a wish was said to be the only one that does: 只要高帮的, "high top only". */
export const isStrict = (text: string, { start, end }: Place): boolean =>
  ONLY.test(text.slice(Math.max(0, start - 20), start)) || ONLY_BEHIND.test(text.slice(end))
    || OTHERS.test(text.slice(end).replace(/^用/, ''))
    || isOnlySuch(text, { start, end })

/** For whom, for which day, and the seller's offers: said, but nothing that goods are found by. */
import type { IgnoredReason } from '../understanding.ts'
import type { Claims, Place } from './claims.ts'
import { objectsAfter } from './demands.ts'
import { phrases } from './phrases.ts'
import { RECIPIENTS } from './people.ts'
import { OCCASIONS, PROMOTIONS, SCENES } from './words.ts'

const RECIPIENT = phrases(RECIPIENTS)
const OCCASION = phrases(OCCASIONS)
const PROMOTION = phrases(PROMOTIONS)
const SCENE = phrases(SCENES)
/** Sums that a shop gives or takes, not what the goods may cost. */
const OFFER = new RegExp('(?:每?满|减|立减|直降|立省|省|优惠|返)\\d{1,6}(?!\\d|个?月|周?岁|个?周|天)'
  + '(?:元|块)?(?:-|减|立减|送|打|返)?(?:\\d{1,6}(?:元|块)?|[\\d.]{1,3}折)?'
  + '|\\d{1,6}(?:元|块)?的?(?:无门槛)?(?:红包|优惠券|代金券|抵用券|券(?!后))|[\\d一二三四五六七八九]\\.?\\d?折(?!叠)'
  + '|\\d{1,2}% off|\\d{1,5} off|买[\\d一二两三]送[\\d一二两三]|第二件(?:半价|\\d折)', 'g')
/** How they want to be answered: 请用英文告诉我理由, "tell me why". */
const TOLD = '(?:[来跟和给]|回[答复]|告诉|解释|说明?|讲|写|我|一?下|你的?|推荐|的|理由|原因|为[什啥]么?|选|它|这[个款台])*'
const ANSWER = new RegExp(`(?:请|麻烦|并且?|再|顺便|记得|要)*(?:用(?:英[文语]|中文|汉语)${TOLD}`
  + '|(?:讲[讲下一]|说[说下一]|说明|解释|告诉我|给出|写出|附上|列出)(?:一?下|你的?|推荐|的|选|它|这[个款台])*'
  + `(?:理由|原因|为什么|为啥|好在哪)${TOLD})`
  + '|(?<![a-z])(?:please |and |also )*(?:(?:answer|reply|respond|explain|write|speak)(?: to me)?'
  + '(?: it| why| (?:the|your) (?:reasons?|choices?|picks?))* in (?:english|chinese)'
  + '|in (?:english|chinese)(?: please)?|(?:tell me|explain|say) why(?: you (?:picked|chose|choose'
  + '|recommend|pick)(?: it| them)?)?|with (?:your )?reasons?|give (?:me )?(?:your )?reasons?)'
  + '(?![a-z])', 'g')
const SALE_DAY = /(?<![\d.])(?:618|双(?:11|12|十一|十二)|六一八)(?![\d元块以])/g
const GIVE = new RegExp(
  String.raw`(?:送给?|给|替|帮|为|孝敬|for|to|gift for|present for)(?: ?(?:我的?|你的?|my|a|the|our|`
  + String.raw`his|her))? ?$`)
const MY = /(?:我|my|our) ?$/
const FOR = /(?<![a-z])for (?:the |a |an |my )?/g
const NOT_FOR = new RegExp(
  String.raw`(?:look(?:ing)?|search(?:ing)?|shop(?:ping)?|hunt(?:ing)?|ask(?:ing)?|need|`
  + String.raw`pay(?:ing)?) $`)
const SUITED = /适合|适用于?|专为|拿来|用来|(?<!有)用于/g
const USED = /^ ?(?:们)?(?:都)?(?:能|可以)?(?:用|使用|穿|吃|喝|玩|戴|看|坐|睡|骑|背|住)/

export interface FoundIgnored extends Place {
  readonly why: IgnoredReason
}

/** 九月上一年级, 九月份 is when, and nobody's age. */
const MONTH = new RegExp('(?:\\d{1,2}|[一二三四五六七八九]|十[一二]?)月'
  + '(?:份|底|初|中旬|(?=上|开学|入学|要上|就上|结婚|过生|出生|去))', 'g')

/** 第一次去 counts nothing. */
const FIRST_TIME = /第[一1][次回]|头一[次回]/g

/** 钱不是问题 refuses nothing. */
const NO_MATTER = new RegExp('(?:花多少钱|多少钱|价钱|钱|价格|价位|预算|贵点?|颜色|款式|牌子|品牌|大小|运费|快递|时间)'
  + '(?:对我来说|对我)?(?:都|也|真的?|根本|完全|绝对)*(?:不是|不成|没|没有)(?:什么|啥|大|个)*问题'
  + '|(?<![a-z])(?:money|price|budget|cost)(?: is|\'s)?(?: no object| no issue| no problem'
  + '| not (?:an issue|a problem|a concern)| ?n\'t (?:an issue|a problem|a concern))(?![a-z])', 'g')

/** Before any number is read: these amounts are not the budget. */
export function offersIn(text: string): FoundIgnored[] {
  const offers = [[OFFER, 'promotion'], [SALE_DAY, 'occasion'], [ANSWER, 'filler'],
    [NO_MATTER, 'filler'], [FIRST_TIME, 'filler'], [MONTH, 'filler']] as const
  return offers.flatMap(([pattern, why]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) =>
      ({ start: index, end: index + found.length, why })))
}

export function ignoredIn(text: string): FoundIgnored[] {
  const found: FoundIgnored[] = []
  for (const { start, end } of RECIPIENT.find(text)) {
    const given = GIVE.exec(text.slice(Math.max(0, start - 16), start))
    const my = MY.exec(text.slice(Math.max(0, start - 4), start))
    const isScene = SCENE.has(text.slice(start, end)) && USED.test(text.slice(end, end + 6))
    if ((given && !isScene) || my) {
      found.push({ start: start - ((given ?? my)?.[0].length ?? 0), end, why: 'recipient' })
    }
  }
  for (const place of OCCASION.find(text)) {
    if (!/^[点寸代号]/.test(text.charAt(place.end))) found.push({ ...place, why: 'occasion' })
  }
  for (const place of PROMOTION.find(text)) found.push({ ...place, why: 'promotion' })
  return found
}

export interface FoundScene extends Place {
  readonly object: Place
}

/** What it should suit: 宿舍, 适合圆脸, for dry skin. */
export function scenesIn(text: string, claims: Claims): FoundScene[] {
  const found: FoundScene[] = []
  const add = (scene: FoundScene): void => {
    if (!found.some(({ start, end }) => start < scene.end && scene.start < end)) found.push(scene)
  }
  for (const cue of [SUITED, FOR]) {
    for (const match of text.matchAll(cue)) {
      const from = match.index + match[0].length
      const before = text.slice(Math.max(0, match.index - 12), match.index)
      if (cue === FOR && NOT_FOR.test(before)) continue
      if (!claims.isFree(match.index, from)) continue
      const [object] = objectsAfter(text, from, claims)
      // "for iphone 15" is what it has to fit, and a word to search by.
      if (object && cue === FOR && /\d/.test(text.slice(object.start, object.end))) continue
      if (object) add({ start: match.index, end: object.end, object: untilUse(text, object) })
    }
  }
  for (const { start, end } of SCENE.find(text)) {
    // 早餐机 is one word, whatever it is.
    const isPart = /\p{Script=Han}/u.test(text.charAt(start))
      && /^(?![用使穿吃喝玩戴看坐睡的里内时上专适等和与及或、们党是有在])\p{Script=Han}/u.test(text.slice(end, end + 1))
    if (!isPart && claims.isFree(start, end)) add({ start, end, object: { start, end } })
  }
  return found.sort((left, right) => left.start - right.start)
}

/** 适合宿舍用 is for 宿舍. */
function untilUse(text: string, { start, end }: Place): Place {
  const use = /(?:们|人)?(?:使用|用|穿|吃|喝|玩|戴|看|坐|睡|骑|背)$/.exec(text.slice(start, end))
  return { start, end: use && use.index > 0 ? start + use.index : end }
}

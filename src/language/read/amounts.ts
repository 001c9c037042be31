/** A number with its currency, or without: how much money it would be. */
import type { Place } from './claims.ts'
import type { NumberWord } from './numbers.ts'

export interface Amount extends Place {
  /** Yuan. */
  readonly low: number
  readonly high: number
  /** Whether it says that it is money. */
  readonly hasCurrency: boolean
  /** Of another currency: low and high are converted. */
  readonly currency: Currency | null
  readonly number: NumberWord
}

export interface Currency {
  readonly zh: string
  readonly en: string
  /** Yuan for one, rounded; of November 2026. */
  readonly rate: number
}

/** 佳能r50 is a model. */
const BEFORE = /(?:¥|rmb|cny|人民币|(?:^|[^a-z\p{Script=Han}]|[算过于到在价是])r) ?$/u
const AFTER = new RegExp('^ ?(?:元人民币|人民币|大洋|软妹币|元钱|元整?|圆|(?:rmb|cny|yuan|kuai|renminbi)'
  + '(?![a-z])|r(?![a-z0-9]))')
const CURRENCIES: readonly (Currency & { readonly before: RegExp, readonly after: RegExp })[] = [
  { zh: '港元', en: 'Hong Kong dollar', rate: 0.91, before: /(?:港币|港元|港纸|hk\$|hkd) ?$/,
    after: /^ ?(?:港币|港元|港纸|(?:hkd|(?:hk|hong kong) dollars?)(?![a-z]))/ },
  { zh: '新台币', en: 'Taiwan dollar', rate: 0.22, before: /(?:新?台币|nt\$|twd) ?$/,
    after: /^ ?(?:新?台币|(?:twd|taiwan dollars?)(?![a-z])|nt(?![a-z]))/ },
  { zh: '澳元', en: 'Australian dollar', rate: 4.7, before: /(?:澳元|澳币|(?<![a-z])a\$|aud) ?$/,
    after: /^ ?(?:澳元|澳币|(?:aud|(?:aussie|australian) (?:dollars?|bucks))(?![a-z]))/ },
  { zh: '加元', en: 'Canadian dollar', rate: 5.1, before: /(?:加元|加币|(?<![a-z])ca?\$|cad) ?$/,
    after: /^ ?(?:加元|加币|(?:cad|canadian (?:dollars?|bucks))(?![a-z]))/ },
  { zh: '新加坡元', en: 'Singapore dollar', rate: 5.5, before: /(?:(?<![a-z])s\$|sgd) ?$/,
    after: /^ ?(?:新加坡?[元币]|坡币|(?:sgd|(?:sing(?:apore)?) dollars?)(?![a-z]))/ },
  { zh: '欧元', en: 'euro', rate: 8.2, before: /(?:欧元|€|eur) ?$/,
    after: /^ ?(?:欧元|欧(?=$|[ ;以左的])|(?:euros?|eur)(?![a-z])|€)/ },
  { zh: '英镑', en: 'pound', rate: 9.4, before: /(?:英镑|£|gbp) ?$/,
    after: /^ ?(?:英镑|(?:gbp|pounds?|quid)(?! of| weight|[a-z])|£)/ },
  { zh: '日元', en: 'yen', rate: 0.047, before: /(?:日元|日币|jpy|jp¥) ?$/,
    after: /^ ?(?:日元|日币|円|(?:jpy|yen)(?![a-z]))/ },
  { zh: '韩元', en: 'won', rate: 0.005, before: /(?:韩元|韩币|₩|krw) ?$/,
    after: /^ ?(?:韩元|韩币|krw(?![a-z]))/ },
  { zh: '卢布', en: 'rouble', rate: 0.088, before: /(?:₽|rub) ?$/, after: /^ ?(?:卢布|₽)/ },
  { zh: '美元', en: 'US dollar', rate: 7.1, before: /(?:美元|美金|us\$|usd|\$) ?$/,
    after: /^ ?(?:美元|美金|美刀|刀(?=$|[ ;以左的内])|(?:usd|us dollars?|dollars?|bucks)(?![a-z])|\$)/ },
]
/** 五毛, and not 三毛 of a name. */
const JIAO = /^(?:[毛角分]钱|[毛角](?=$|[ ;,.。!?]|以[内下]|之[内下]|左右|一|每|就|都))/
const PIECES_MAX = 20
const TENTHS: Readonly<Record<string, number>> = {
  一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9,
}
/** What may follow 块 where it is money: 两块 by itself may be two pieces. */
const AFTER_KUAI = new RegExp(
  String.raw`^(?:$|[ ;,.。、!?)]|的|钱|以|之|左|上下|出头|内|起|到|至|-|~|多|封|不到|包邮|一|每|价|档|够|就|买|预算|or|`
  + String.raw`max|or|and)`)

export function amountOf(text: string, number: NumberWord): Amount | undefined {
  const before = text.slice(Math.max(0, number.start - 12), number.start)
  // A 50-yuan one.
  const after = text.slice(number.end, number.end + 24).replace(/^-(?=[a-z])/, ' ')
  const made = (start: number, end: number, more: Partial<Amount> = {}): Amount => ({
    start, end, low: number.low, high: number.high, hasCurrency: false, currency: null, number,
    ...more,
  })
  for (const { before: sign, after: unit, zh, en, rate } of CURRENCIES) {
    const [left, right] = [sign.exec(before), unit.exec(after)]
    if (!left && !right) continue
    return made(number.start - (left?.[0].length ?? 0), number.end + (right?.[0].length ?? 0), {
      low: number.low * rate, high: number.high * rate, currency: { zh, en, rate },
      hasCurrency: true,
    })
  }
  const jiao = number.high < 10 ? JIAO.exec(after)?.[0] : undefined
  if (jiao !== undefined) {
    const share = jiao.startsWith('分') ? 100 : 10
    const isLimit = /[过到于在多高]$/.test(before) || /^[以之左]/.test(after.slice(jiao.length))
    return made(number.start, number.end + jiao.length, {
      hasCurrency: jiao.endsWith('钱') || isLimit,
      low: number.low / share, high: number.high / share })
  }
  const sign = BEFORE.exec(before)
  const start = number.start - (sign ? sign[0].length - (/^[^a-z¥人]r/.test(sign[0]) ? 1 : 0) : 0)
  const kuai = kuaiAfter(number, after, sign !== null)
  if (kuai === 'pieces') return undefined
  if (kuai) {
    return made(start, number.end + kuai.length, { hasCurrency: true,
      low: number.low + kuai.more, high: number.high + kuai.more })
  }
  const unit = AFTER.exec(after)
  if (unit && isName(number, text.slice(number.end + unit[0].length))) return undefined
  return made(start, number.end + (unit?.[0].length ?? 0), { hasCurrency: Boolean(sign ?? unit) })
}

/** 19块8, 九块九, 两块钱; "pieces" where it counts pieces. */
function kuaiAfter(
  number: NumberWord, after: string, hasSign: boolean,
): { length: number, more: number } | 'pieces' | undefined {
  const found = /^ ?块(?:([\d一二两三四五六七八九])(?![\d十百个只件块条])[毛角]?(\d)?分?|大洋|钱)?/.exec(after)
  if (!found) return undefined
  const tenths = found[1] === undefined ? 0 : TENTHS[found[1]] ?? Number(found[1])
  const more = tenths / 10 + Number(found[2] ?? 0) / 100
  const isPlain = found[0].trim() === '块'
  const goesOn = !AFTER_KUAI.test(after.slice(found[0].length))
  if (isPlain && goesOn && !hasSign && number.high <= PIECES_MAX) return 'pieces'
  return { length: found[0].length, more }
}

/** 三元奶粉 is a name; a price of a few yuan is written in digits, or says more. */
function isName({ script, high }: NumberWord, rest: string): boolean {
  return script === 'han' && high < 10 && /^\p{Script=Han}/u.test(rest)
    && !/^(?:的|钱|以|之[内下间]|左右|上下|内|到|至|起|一[个件只双]|包邮|出头|多)/.test(rest)
}

/** How many are wanted: two, 一箱, 3 pieces. */
import type { Place } from './claims.ts'
import type { NumberWord } from './numbers.ts'
import { RECIPIENTS } from './people.ts'
import { phrases } from './phrases.ts'

export interface FoundQuantity extends Place {
  readonly count: number
  readonly unit: string | null
}

/** 俩 and 仨 count by themselves. */
const CONTRACTED: Readonly<Record<string, number>> = { 俩: 2, 仨: 3 }
/** 俩娃 are who gets it. */
const PEOPLE = /^(?:人|月|字|娃|孩|宝|老|闺女|儿子|女儿|崽|小子|丫头|孙|侄|外甥|姑娘|小[伙家])/
const PERSON = phrases(RECIPIENTS)
const COUNT_MAX = 9999
const CLASSIFIERS = '个|只|件|条|双|对|瓶|盒|箱|包|袋|支|枝|把|台|部|套|本|份|罐|桶|块|张|卷|提|副|顶|辆|'
  + '盆|打|串|壶|听|杯|根|床|枚|节|株|朵|管|筒|捆|扎|整箱|大箱|大瓶|大包|小包|小瓶|盏|幅|架|匹|组|斤装'
/** 两个人, 三个月, 一张床垫 but not 双人床, 把手, 台灯. */
const CLASSIFIER = new RegExp(`^ ?小?(?:(${CLASSIFIERS})`
  + '(?!(?<=个)(?:人|月|小时|性|头|子|体)|(?<=台)[灯历]|(?<=把)手|(?<=件)套|(?<=双)[人肩面层]|(?<=条)[纹件]|(?<=包)[装邮包]'
  + '|(?<=套)[装餐]|(?<=本)(?:地|来)|(?<=份)子|(?<=张)力|(?<=杯)子|(?<=盒)子|(?<=袋)子|(?<=瓶)子|(?<=箱)子|(?<=桶)装))')
const ENGLISH = new RegExp('^ ?(pieces?|pcs?|pairs?|boxes|box|bottles?|bags?|sets?|'
  + 'cans?|units?|items?|'
  + 'cases|rolls?|cartons?|jars?|cups?|packets?)(?: of)?(?![a-z])')
const TIMES_AFTER = /^ ?[x×](?![a-z0-9])/
const TIMES_BEFORE = /(?:(?<![a-z0-9])x|[×*]) ?$/
const NOT_BEFORE = /(?:第|每|一家|[a-z]|\d[.-])$/
/** 15 of "iphone 15 case" counts no cases. */
const VERB_BEFORE = new RegExp(
  String.raw`(?:^|[;,.!?] ?|(?:buy(?:ing)?|need|want|get(?:ting)?|order(?:ing)?|me|for|and|purchase`
  + String.raw`|find|some|`
  + String.raw`these|the|of) |\p{Script=Han} ?)$`, 'u')
/** "A set of four glasses" is one piece of goods. */
const SET_BEFORE = /(?:an? )?(?:set|pack|box|bundle|kit)s? of $/
const ARTICLE_PAIR = new RegExp(
  String.raw`(?:^|[^a-z])an? (pair|box|bottle|bag|set|pack|case|can|dozen|`
  + String.raw`carton)(?: of)?(?![a-z])`, 'g')

export function quantitiesIn(
  text: string, numbers: readonly NumberWord[], isGoods: (from: number, to: number) => boolean,
): FoundQuantity[] {
  const found = numbers.flatMap((number): FoundQuantity[] => {
    const one = quantityOf(text, number, isGoods)
    return one ? [one] : []
  })
  for (const match of text.matchAll(ARTICLE_PAIR)) {
    const start = match.index + match[0].search(/an? [a-z]+/)
    const unit = match[1] ?? null
    // A bottle brush is no bottle.
    const at = match.index + match[0].lastIndexOf(unit ?? '')
    if (unit !== 'dozen' && !match[0].endsWith(' of') && isGoods(at, at)) continue
    const count = unit === 'dozen' ? 12 : 1
    found.push({ start, end: match.index + match[0].length, count, unit })
  }
  return found.map((one) => sharedOut(text, numbers, one))
    .sort((left, right) => left.start - right.start)
}

const EACH_BEFORE = new RegExp('(?:[每一]人|人手|各(?:自|要|配|买|来|添|置|用)?|每[个位家间班店屋户桌])[带买来配发送要拿分备]?$')
const HOLDERS = /^ ?(?:[个位名家间人扇所户组桌班]|口子?)/
/** Beyond it they are no people. */
const HOLDERS_MAX = 200

/** 三家店各要一台, 姐妹六人每人一双: one for each of them. */
function sharedOut(
  text: string, numbers: readonly NumberWord[], one: FoundQuantity,
): FoundQuantity {
  if (!EACH_BEFORE.test(text.slice(0, one.start))) return one
  const holders = numbers.findLast(({ start, end, low, high }) => end < one.start
    && low === high && low > 1 && low <= HOLDERS_MAX
    && (CONTRACTED[text.slice(start, end)] !== undefined || HOLDERS.test(text.slice(end, end + 3))))
  return holders ? { ...one, count: one.count * holders.low } : one
}

function quantityOf(
  text: string, number: NumberWord, isGoods: (from: number, to: number) => boolean,
): FoundQuantity | undefined {
  const { start, end, low, high } = number
  const before = text.slice(Math.max(0, start - 4), start)
  const after = text.slice(end, end + 12)
  if (low < 1 || high > COUNT_MAX || !Number.isInteger(low)) return undefined
  if (TIMES_BEFORE.test(before)) {
    const unit = CLASSIFIER.exec(after)
    return { start: start - (TIMES_BEFORE.exec(before)?.[0].trimStart().length ?? 0),
      end: end + (unit?.[0].length ?? 0), count: low, unit: unit?.[1] ?? null }
  }
  const word = text.slice(start, end)
  if (CONTRACTED[word] && !PEOPLE.test(after)) return { start, end, count: low, unit: null }
  if (NOT_BEFORE.test(before)) return undefined
  const counted = CLASSIFIER.exec(after) ?? ENGLISH.exec(after)
  // 五个同事 are who gets it.
  if (counted?.[1] === '个' && PERSON.at(text, end + counted[0].length)) return undefined
  if (counted) {
    const unit = counted[1] ?? null
    const dozen = unit === '打' ? 12 : 1
    return { start, end: end + counted[0].length, count: low * dozen, unit }
  }
  const times = TIMES_AFTER.exec(after)
  if (times) return { start, end: end + times[0].length, count: low, unit: null }
  // "two mugs": a small number straight before the goods.
  const isSmall = low < 100 && number.script !== 'han' && /^ [a-z]/.test(after)
  // "3 white cotton towels": the goods come within two words.
  const [words = ''] = /^ (?:[a-z-]+ ){0,2}/.exec(text.slice(end, end + 32)) ?? []
  const set = SET_BEFORE.exec(text.slice(Math.max(0, start - 12), start))
  if (set && isSmall && isGoods(end + 1, end + words.length)) {
    return { start: start - set[0].length, end, count: low, unit: 'piece' }
  }
  return isSmall && VERB_BEFORE.test(text.slice(Math.max(0, start - 12), start))
    && isGoods(end + 1, end + words.length)
    ? { start, end, count: low, unit: null } : undefined
}

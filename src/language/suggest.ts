/**
 * Kinds of goods for a wish that names none: a gift for somebody, things for a trip. They are
 * shown with the question which of them is meant.
 */
import { taxonomy } from '../goods/taxonomy.ts'
import { audiencesIn, suits } from './audience.ts'
import { needScores } from './needs.ts'
import { phrases } from './read/phrases.ts'
import { list } from './read/words.ts'
import type { Guess } from './understanding.ts'

/** As `gift_for` in the taxonomy has them. */
const RECIPIENTS: readonly (readonly [string, readonly string[]])[] = [
  ['mother', list('婆婆|妈妈|妈|娘|俺娘|老娘|老妈|母亲|婆婆|岳母|丈母娘|mom|mum|mother|mother-in-law')],
  ['father', list('老丈人|丈人|爹|俺爹|舅舅|叔叔|爸爸|爸|老爸|父亲|公公|岳父|dad|father|father-in-law')],
  ['elderly', list('爷爷|奶奶|外公|外婆|姥姥|姥爷|老人|长辈|爸妈|父母|grandpa|grandma|grandparents|parents|elderly')],
  ['boy', list('男孩|男童|儿子|小伙子|小男孩|侄子|外甥|弟弟|boy|son|nephew')],
  ['girl', list('外甥女|闺女|女孩|女童|女儿|小女孩|侄女|妹妹|girl|daughter|niece')],
  ['baby', list('百天|周岁|宝宝|婴儿|新生儿|满月|baby|newborn')],
  ['child', list('孩子|小孩|小朋友|儿童|小学生|kid|kids|child|children')],
  ['woman', list('女朋友|女友|老婆|妻子|爱人|女生|女士|闺蜜|姐姐|对象|女神|girlfriend|wife|woman|women|her|sister')],
  ['man', list('男朋友|男友|老公|丈夫|男生|男士|哥哥|先生|boyfriend|husband|man|men|him|brother')],
  ['couple', list('情侣|新人|结婚|婚礼|新婚|couple|wedding|newlyweds')],
  ['colleague', list('同事|客户|员工|部门|colleague|coworker|client')],
  ['boss', list('领导|老板|上司|boss')],
  ['teacher', list('班主任|导师|教练|老师|教师|teacher')],
  ['student', list('学生|同学|大学生|毕业|student|graduate')],
  ['friend', list('哥们|兄弟|室友|邻居|朋友|friend|friends|someone')],
]
const RECIPIENT_OF = new Map(RECIPIENTS.flatMap(([name, words]) =>
  words.map((word): [string, string] => [word, name])))
const PHRASES = phrases(RECIPIENT_OF.keys())
const GIFT = new RegExp('拎点|第一次上门|见面礼|意思一下|伴手礼|回礼|礼物|礼品|送礼|生日|送(?!货|到|上门|餐)|纪念日'
  + '|gift|present|birthday|housewarming')
const KINDS_MAX = 8
const PER_CATEGORY = 2
const LEAST_SHARE = 0.7

export const isRecipientWord = (word: string): boolean => RECIPIENT_OF.has(word)

export interface Wanted {
  readonly text: string
  /** Scenes, purposes and whatever else was read of it. */
  readonly words: readonly string[]
  /** Kinds of goods that they have already. */
  readonly owned: ReadonlySet<string>
  readonly bounds: { readonly min: number, readonly max: number }
}

/** Below this nothing is told that says what is needed. */
const NEED_MIN = 10
const NEED_OF_GIFT = 0.7

/** What may be meant, if it can be said at all. */
export function suggestKinds(
  { text, words, owned, bounds: budget }: Wanted,
): readonly Guess<string>[] {
  const recipients = new Set(PHRASES.find(text).map(({ phrase }) => RECIPIENT_OF.get(phrase) ?? ''))
  const audiences = audiencesIn(text).map(({ audience }) => audience)
  const needs = needScores([text, ...words].join(' '))
  const best = Math.max(0, ...needs.values())
  const isGift = GIFT.test(text) || (recipients.size > 0 && best < NEED_MIN)
  if (isGift && recipients.size === 0) recipients.add('friend')
  const isVague = !isGift && best < NEED_MIN
  if (isVague && !/[\p{L}]{2}/u.test(text)) return []
  const all = taxonomy().categories
  const scored = all.flatMap(({ category_id, kinds }) => kinds.map((one, index) => {
    const { kind, gift_for = [], audience, price } = one
    const gift = isGift ? gift_for.filter((name) => recipients.has(name)).length : 0
    const need = owned.has(kind) ? 0 : (needs.get(kind) ?? 0) / Math.max(best, NEED_MIN)
    const isTheirs = audience === undefined || audiences.length === 0
      || audiences.some((wanted) => suits(audience, wanted))
    const isPriced = price.min <= budget.max && price.max >= budget.min
    const isAnswer = isGift ? gift > 0 || need > NEED_OF_GIFT : need > 0
    const isMeant = isTheirs && isPriced && (isVague || isAnswer)
    // Files name the commonest kinds first.
    return { kind, category_id, value: isMeant ? gift + 2 * need - index / 500 : 0 }
  })).filter(({ value }) => value > 0).sort((left, right) => right.value - left.value)
  const taken = new Map<number, number>()
  const least = (scored[0]?.value ?? 0) * LEAST_SHARE
  const chosen = scored.filter(({ category_id, value }) => {
    if (value < least) return false
    const count = taken.get(category_id) ?? 0
    taken.set(category_id, count + 1)
    return count < (isVague ? 1 : PER_CATEGORY)
  }).slice(0, KINDS_MAX)
  const confidence = Number((0.5 / chosen.length).toFixed(2))
  return chosen.map(({ kind }) => ({ value: kind, confidence }))
}

/** How much better another kind has to answer what is told than the kind that is named. */
const OUTWEIGHS = 2.8
const NEED_TOLD = 33
const TOLD_LENGTH_MIN = 9
/** Says nothing of the need. */
const POLITE = new RegExp('^(?:(?:你好|您好|hello|hi|请问?|麻烦|帮我|给我|我?想要?|我要|有没有|买个?'
  + '|找个?|一下|please|find me)[ ,]*)+'
  + '|[ ,]*(?:谢谢|多谢|thanks|麻烦推荐一下)$', 'g')

export interface Named extends Wanted {
  readonly kinds: readonly Guess<string>[]
  /** Whether the goods are named, if by words that nobody knows. */
  readonly isNamed: boolean
  /** Whether it tells of a need; where it does not, what is named is wanted. */
  readonly isTold: boolean
  /** What else is said leaves no doubt of the name: a brand, a size, several goods. */
  readonly isSure: boolean
}

/**
 * The kinds that are named, unless what is told of the need speaks for another: of 猫天天挠沙发,
 * 有没有东西让它去挠 the sofa is not wanted.
 */
export function kindsMeant(named: Named): readonly Guess<string>[] {
  const { kinds, isNamed, isTold, isSure, text, owned } = named
  const needs = needScores(text)
  const best = Math.max(0, ...needs.values())
  if (kinds.length === 0) return isNamed ? kinds : suggestKinds(named)
  const [first] = kinds
  const likely = kinds.filter(({ confidence }) => confidence >= (first?.confidence ?? 0) / 2)
  const own = Math.max(1, ...likely.map(({ value }) => needs.get(value) ?? 0))
  const isOther = isTold && !isSure && best >= NEED_TOLD
    && text.replace(POLITE, '').length >= TOLD_LENGTH_MIN
    && best >= own * OUTWEIGHS
  return isOther ? suggestKinds({
    ...named, owned: new Set([...owned, ...likely.map(({ value }) => value)]),
  }) : kinds
}

/** Whom goods are for, as sentences and titles say it. */
import { AUDIENCES, type Audience } from '../goods/taxonomy.ts'
import { numbersIn } from './read/numbers.ts'
import { PEOPLE, wordsFor } from './read/people.ts'
import { phrases } from './read/phrases.ts'
import { list } from './read/words.ts'

/** Of titles, and of animals; people have a table of their own. */
const WORDS: Readonly<Record<Audience, readonly string[]>> = {
  men: list(`男女|情侣|情侣款|couple|couples|unisex|男|男款|男式|男性|男人|男装|男生|mens|men's|male|gentleman`),
  women: list(`男女|情侣|情侣款|couple|couples|unisex|女|女款|女式|女性|女人|女装|女生|womens|women's|female
    |ladies|lady`),
  boys: list('男宝|男宝宝|男娃|男娃娃|小男生'),
  girls: list('女宝|女宝宝|女娃|女娃娃|小女生|小公主'),
  kids: list("童款|童装|幼儿园|年级|中大童|小童|学龄|少儿|kids'|children's"),
  baby: list(`男宝|女宝|男宝宝|女宝宝|生了二胎|生二胎|生了宝宝|生娃|喜得贵子|喜得千金|刚出生|新出生|新生儿|newborn|newborns
    |婴幼儿|幼儿|婴童|月子里的孩子|babies|infant|infants`),
  elderly: list('老年|中老年|senior|seniors'),
  pregnant: list('孕妇|孕期|孕妈|准妈妈|怀孕|pregnant|maternity'),
  cat: list('猫狗|猫|猫咪|猫用|猫猫|小猫|幼猫|成猫|英短|美短|布偶|橘猫|狸花|暹罗|缅因|加菲猫|cat|cats|kitten|kittens'),
  dog: list(`猫狗|狗|狗狗|犬|狗用|小狗|幼犬|成犬|金毛|泰迪|柯基|大型犬|小型犬|拉布拉多|哈士奇|边牧|柴犬
    |比熊|博美|吉娃娃|雪纳瑞|法斗|萨摩耶|阿拉斯加|德牧|dog|dogs|puppy|puppies|labrador|poodle|corgi|husky|retriever
    |bulldog|chihuahua|beagle|terrier|dachshund`),
}

/** 男女 and unisex are two. */
const AUDIENCE_OF = new Map<string, Audience[]>()
for (const one of AUDIENCES) {
  for (const word of WORDS[one]) AUDIENCE_OF.set(word, [...AUDIENCE_OF.get(word) ?? [], one])
}
for (const person of PEOPLE) {
  // Grandmothers are old as well.
  const audiences = [person.audience, person.gift === 'elderly' ? 'elderly' as const : undefined]
    .filter((audience) => audience !== undefined)
  for (const word of wordsFor(person)) {
    AUDIENCE_OF.set(word, [...new Set([...AUDIENCE_OF.get(word) ?? [], ...audiences])])
  }
}
/** And 暖宝宝 is for nobody's baby. */
const PHRASES = phrases([...AUDIENCE_OF.keys(), '暖宝宝'])
const HAN = /\p{Script=Han}/u
/** 儿子 is a boy and a child; who sells for children sells for him. */
const WIDER: Readonly<Partial<Record<Audience, readonly Audience[]>>> = {
  boys: ['kids', 'men'], girls: ['kids', 'women'], baby: ['kids'], kids: ['boys', 'girls'],
  pregnant: ['women'], elderly: ['men', 'women'],
}

export interface FoundAudience {
  readonly audience: Audience
  readonly start: number
  readonly end: number
}

export function audiencesIn(text: string): FoundAudience[] {
  return [...said(text), ...agesIn(text)]
}

/** 我妈七十多了. */
const OLD = /^(?:多|来|几)?(?:了|大寿|的人)/
const YEARS = /^(?:多|来|几)?(?: ?周?岁|[- ]?years?[- ]?old)/
/** Pets and drinks have ages as well. */
const NOBODY = /[狗猫犬]|(?<![a-z])(?:dog|cat|pupp|kitten|whisk|wine)/
const CHILD_MAX = 12
const BABY_MAX = 3
const OLD_MIN = 60

/** 两岁用的牙膏, 八十岁: an age tells for whom goods are, if it is a person's. */
function agesIn(text: string): FoundAudience[] {
  if (!/岁|year|[十一二三四五六七八九0-9][多来几]?(?:了|大寿)/.test(text) || NOBODY.test(text)) return []
  return numbersIn(text).flatMap(({ start, end: until, low: age }) => {
    const [years] = YEARS.exec(text.slice(until, until + 10))
      ?? (age >= OLD_MIN ? OLD.exec(text.slice(until, until + 4)) : null) ?? []
    if (years === undefined) return []
    return ofAge(age).map((audience) => ({ start, end: until + years.length, audience }))
  })
}

/** Whom people of so many years are counted among. */
export const ofAge = (age: number): Audience[] => age <= BABY_MAX ? ['kids', 'baby']
  : age <= CHILD_MAX ? ['kids'] : age >= OLD_MIN ? ['elderly'] : []

const CHILD = '(?:儿子|女儿|闺女|弟弟|妹妹|侄子|侄女|外甥女?|孙子|孙女|孩子|小子|丫头|son|daughter|nephew|niece'
  + '|brother|sister|kid|boy|girl)'
/** A son of fifteen wears what men wear. */
const GROWN_CHILD = new RegExp('(?<!\\d)(?:1[3-9]|2\\d|十[三四五六七八九]|二十[一二三四五六七八九]?)'
  + '(?:周?岁|[- ]?(?:years?|yrs?)[- ]?old)'
  + `|${CHILD}(?:今年|都|也|刚|快|才|满|已经| is| just turned| turned)*`
  + '(?:1[3-9]|2\\d|十[三四五六七八九]|二十[一二三四五六七八九]?)(?=了|$|[ ,;.。!?])'
  + '|高中|(?:上|读|念|是|升)?高[一二三](?![\\d层楼米])|大学|[上读念]大[一二三四]|上班|工作了|成年'
  + '|[一1]米[789七八九]|身高1[6-9]\\d|(?<!\\d)1[789]\\d ?(?:cm )?tall'
  + '|(?<![a-z])(?:teen(?:age)?r?|high school|college|university|grown)(?![a-z])')

const GROWN_AS: Readonly<Partial<Record<Audience, Audience | null>>> =
  { boys: 'men', girls: 'women', kids: null, baby: null }

/** Of a sentence, in which a child may be told to be grown. */
export function audiencesSaid(text: string): FoundAudience[] {
  const found = audiencesIn(text)
  const isGrown = found.some(({ audience }) => audience in GROWN_AS) && isGrownChild(text)
  return !isGrown ? found : found.flatMap((one) => {
    const audience = one.audience in GROWN_AS ? GROWN_AS[one.audience] : one.audience
    return audience ? [{ ...one, audience }] : []
  })
}

export const isGrownChild = (text: string): boolean => GROWN_CHILD.test(text)
  && new RegExp(CHILD).test(text)

function said(text: string): FoundAudience[] {
  return PHRASES.find(text).filter(({ start, end }) => end - start > 1
    || !HAN.test(text.charAt(start)) || isAlone(text, start, end))
    .flatMap(({ start, end, phrase }) => (AUDIENCE_OF.get(phrase) ?? []).map((audience) =>
      ({ start, end, audience })))
}

/** 男 and 女 say something where they stand alone, or with 的, 用, 款. */
const isAlone = (text: string, start: number, end: number): boolean =>
  (!HAN.test(text.charAt(start - 1)) || !HAN.test(text.charAt(end))
    || /[给帮为替]$|我家$/.test(text.slice(0, start)))
  && !/[明衣耳]/.test(text.charAt(end))

/** Goods for these are meant where somebody says so: for children, the old, animals. */
export const SPECIAL_AUDIENCES: ReadonlySet<Audience> = new Set(['boys', 'girls', 'kids', 'baby',
  'elderly', 'pregnant', 'cat', 'dog'])

/** Whether what is made for the one suits the other; nobody said is anybody. */
export const suits = (made: Audience, wanted: Audience): boolean =>
  made === wanted || (WIDER[wanted]?.includes(made) ?? false)

/** 女生骑 and 老婆穿 tell for whom it is. */
const USES = /(?<=.)[骑穿用戴背喷玩睡擦涂拿]$/

export const isAudienceWord = (word: string): boolean =>
  AUDIENCE_OF.has(word) || AUDIENCE_OF.has(word.replace(USES, ''))

/** 领导: goods are made for nobody as such. */
export const isSomebody = (word: string): boolean =>
  isAudienceWord(word) && audiencesIn(word).length === 0

export const isChild = (word: string): boolean => isAudienceWord(word)
  && audiencesIn(word).every(({ audience }) => audience === 'kids' || audience === 'baby')

const GENDERS: Readonly<Partial<Record<Audience, string>>> =
  { men: 'm', boys: 'm', women: 'f', girls: 'f', pregnant: 'f' }
const AGES: Readonly<Partial<Record<Audience, string>>> = { men: 'adult', women: 'adult',
  elderly: 'adult', pregnant: 'adult', boys: 'child', girls: 'child', kids: 'child', baby: 'child' }

/** Whether what is made for the one is nothing for the other: 男装 for a girlfriend. */
export function isForOthers(made: Audience, wanted: Audience): boolean {
  if (!AGES[made] || !AGES[wanted]) return made !== wanted
  return [AGES, GENDERS].some((trait) => areApart(trait, [made], [wanted]))
}

/** Whether goods are for others: 男童 of 儿童 for a girl, though both are children's. */
export const areForOthers = (made: readonly Audience[], wanted: readonly Audience[]): boolean =>
  [AGES, GENDERS].some((trait) => areApart(trait, made, wanted))
  || (!made.some((one) => wanted.includes(one))
    && made.some((one) => wanted.every((other) => isForOthers(one, other))))

function areApart(
  trait: typeof AGES, made: readonly Audience[], wanted: readonly Audience[],
): boolean {
  const traitsOf = (audiences: readonly Audience[]): string[] =>
    audiences.flatMap((one) => trait[one] ?? [])
  const [own, others] = [traitsOf(made), traitsOf(wanted)]
  return own.length > 0 && others.length > 0 && !own.some((one) => others.includes(one))
}

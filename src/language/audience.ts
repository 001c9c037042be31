/** Whom goods are for, as sentences and titles say it. */
import { AUDIENCES, type Audience } from '../goods/taxonomy.ts'
import { phrases } from './read/phrases.ts'
import { list } from './read/words.ts'

const WORDS: Readonly<Record<Audience, readonly string[]>> = {
  men: list(`男女|情侣款|unisex|男|男士|男款|男式|男生|男性|男人|男装|男朋友|男友|老公|丈夫|爸爸|老爸|父亲|爸|公公|岳父|爷爷|外公|姥爷|哥哥|先生
    |men|mens|men's|man|male|boyfriend|husband|dad|father|grandpa|grandfather|gentleman`),
  women: list(`男女|情侣款|unisex|女|女士|女款|女式|女生|女性|女人|女装|女朋友|女友|老婆|妻子|妈妈|老妈|母亲|妈|婆婆|岳母|丈母娘|奶奶|外婆|姥姥|姐姐
    |闺蜜|women|womens|women's|woman|female|ladies|lady|girlfriend|wife|mom|mum|mother|grandma
    |grandmother`),
  boys: list('男童|男孩|男生|男宝|男宝宝|儿子|小男孩|boy|boys|son'),
  girls: list('女童|女孩|女生|女宝|女宝宝|女儿|小女孩|小公主|girl|girls|daughter'),
  kids: list(`儿童|童款|童装|小孩|小孩子|孩子|小朋友|小学生|幼儿园|中大童|小童|学龄|少儿|弟弟|妹妹|侄子|侄女|外甥
    |kid|kids|kids'|child|children|children's|toddler|toddlers`),
  baby: list('婴儿|宝宝|婴幼儿|新生儿|幼儿|婴童|月子里的孩子|baby|babies|infant|infants|newborn'),
  elderly: list('老人|老年人|老年|长辈|中老年|老人家|爸妈|父母|elderly|senior|seniors|parents'),
  pregnant: list('孕妇|孕期|孕妈|准妈妈|怀孕|pregnant|maternity'),
  cat: list('猫狗|猫|猫咪|猫用|猫猫|小猫|幼猫|成猫|英短|布偶|橘猫|cat|cats|kitten|kittens'),
  dog: list('猫狗|狗|狗狗|犬|狗用|小狗|幼犬|成犬|金毛|泰迪|柯基|大型犬|小型犬|dog|dogs|puppy|puppies'),
}

/** 男女 and unisex are two. */
const AUDIENCE_OF = new Map<string, Audience[]>()
for (const one of AUDIENCES) {
  for (const word of WORDS[one]) AUDIENCE_OF.set(word, [...AUDIENCE_OF.get(word) ?? [], one])
}
const PHRASES = phrases(AUDIENCE_OF.keys())
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
  return PHRASES.find(text).filter(({ start, end }) => end - start > 1
    || !HAN.test(text.charAt(start)) || isAlone(text, start, end))
    .flatMap(({ start, end, phrase }) => (AUDIENCE_OF.get(phrase) ?? []).map((audience) =>
      ({ start, end, audience })))
}

/** 男 and 女 say something where they stand alone, or with 的, 用, 款. */
const isAlone = (text: string, start: number, end: number): boolean =>
  (!HAN.test(text.charAt(start - 1)) || !HAN.test(text.charAt(end)))
  && !/[明衣耳]/.test(text.charAt(end))

/** Whether what is made for the one suits the other; nobody said is anybody. */
export const suits = (made: Audience, wanted: Audience): boolean =>
  made === wanted || (WIDER[wanted]?.includes(made) ?? false)

export const isAudienceWord = (word: string): boolean => AUDIENCE_OF.has(word)

const GENDERS: Readonly<Partial<Record<Audience, string>>> =
  { men: 'm', boys: 'm', women: 'f', girls: 'f', pregnant: 'f' }
const AGES: Readonly<Partial<Record<Audience, string>>> = { men: 'adult', women: 'adult',
  elderly: 'adult', pregnant: 'adult', boys: 'child', girls: 'child', kids: 'child', baby: 'child' }

/** Whether what is made for the one is nothing for the other: 男装 for a girlfriend. */
export function isForOthers(made: Audience, wanted: Audience): boolean {
  if (!AGES[made] || !AGES[wanted]) return made !== wanted
  const differ = (of: typeof AGES): boolean =>
    of[made] !== undefined && of[wanted] !== undefined && of[made] !== of[wanted]
  return differ(AGES) || differ(GENDERS)
}

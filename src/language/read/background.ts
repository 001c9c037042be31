/** What a sentence names besides the goods that are wanted: what people do with goods they have. */
import { taggedWords } from '../segment.ts'
import { namesValue } from '../values.ts'
import { isLead } from './joints.ts'
import type { Name } from './names.ts'

const HAN = /\p{Script=Han}/u
export const CLAUSE_END = /[;,.。!?]/
/** In English what is wanted stands behind a word that wants it. */
const SLOT = new RegExp('(?<![a-z])(?:need|wants?|after|for|find|get|buy|recommend|suggest|show me'
  + '|any|which|what|give me|order|sell|is there|please)'
  + '(?: (?!to(?![a-z])|do(?![a-z])|is(?![a-z])|are(?![a-z])|kind(?![a-z]))[a-z0-9-]+){0,3} $')
const BUYING = new RegExp('^(?:想?[买要求找想需换购选挑配缺差带送拎拿给整弄搞备囤添补加来看]'
  + '|推荐|需要|想要|购买|入手|来个|准备|请问|有没有|没有|没|有|是|送给|适合|包括|包含|含|带有|搭配|使用|用)')

interface Said {
  readonly text: string
  readonly names: readonly Name[]
}

/** 炖燕窝, 做酸菜鱼, "learn the violin": what they do with it, beside the goods that are wanted. */
export function isBackground({ text, names }: Said, name: Name): boolean {
  const others = names.filter((other) => other !== name && other.of !== name)
  if (others.length === 0) return false
  if (isInPassing(text, name, others)) return true
  if (!HAN.test(name.key)) {
    return /[a-z]/.test(name.key) && !inSlot(text, name)
      && !AND_NEAR.test(text.slice(Math.max(0, name.start - 12), name.start))
      && others.some((other) => inSlot(text, other) && isApart(text, name, other))
  }
  return isObject(text, name, names) && others.some((other) => !isObject(text, other, names)
    && (other.start > name.end || text.charAt(name.start - 1) !== '装'))
}

/** What goods consist of, or come in, though it is also sold. */
const ASPECT = new RegExp('(?:料子|面料|布料|材料|用料|包装|盒子|[台桌椅床鞋封板表]面|做工)$'
  + '|(?<![a-z])(?:fabric|material|cloth|packaging|packing|box|surface|top)$')
/** 旗袍，料子要上档次: said of the goods in the clause before, with how it should be. */
const HOW = new RegExp('^(?:也|都|得|最好|尽量)?(?:要|得|最好|是|能|别|不要|不能|看着|摸着'
  + '|[^;,.。!?]{0,4}(?:点儿?|些|的)(?=$|[;,.。!?]))'
  + '|^(?:好|软|硬|厚|薄|舒服|结实|体面|高档|精致|透气)|^ (?:should|must|has to|needs? to|is |that is)')

/** Whether it is told of other goods, or told before they are asked for. */
export const isInPassing = (text: string, name: Name, others: readonly Name[]): boolean =>
  isAspect(text, name, others) || isPlanned(text, name, others)

function isAspect(text: string, { start, end }: Name, others: readonly Name[]): boolean {
  const from = lastClause(text, start)
  return ASPECT.test(text.slice(from, end)) && (HOW.test(text.slice(end)) || end === text.length)
    && others.some((other) => other.end <= from && !isObject(text, other, others))
    && !ADDS.test(text.slice(from, start)) && !BUYS.test(text.slice(from, start))
}

const ADDS = /^ ?(?:再|还|也|另外|顺便|顺带|同时|以及|和|加|and |plus |also )/
const BUYS = /[买来换添购拿]|要[买一两]|(?<![a-z])(?:buy|need|get)(?![a-z])/
/** What asks for goods in a clause of its own. */
const ASKS = new RegExp('[买购求缺配订]|要|想|来[点个一两些]|[添换整弄拿囤备][点个些一两台把套]|推荐|有没有|有吗|多来|来着|(?<!多)多少')
/** 周末在家涮锅, 端午自己包粽子: what will be done, and where or when. */
const PLAN = new RegExp('自己|在家|周末|今[天晚]|明[天晚]|后天|晚上|中午|早上|下午|过[年节]|端午|中秋|元宵|冬至|除夕|国庆|聚会|聚餐|打算|准备'
  + '|约了?|请客|全家|一家人|朋友|同学|同事')
/** 店里要囤雪糕，我想添个冰柜: what somebody tells before what they want for it. */
const TOLD = /^(?!我)[\p{Script=Han}]{1,5}(?:要|得|老|总|天天|每天|经常)(?!买|换)/u
const WANTS = /^(?:所以|就|于是)?(?:我|咱)?们?就?(?:想|打算|准备|需要|缺|差|得)/

/** The plan tells, and what is asked for behind it is wanted. */
function isPlanned(
  text: string, { start, end, key, senses }: Name, others: readonly Name[],
): boolean {
  // 在家烤串，羊肉的: a value of it.
  const isBehind = ({ start: at, key: said }: Name): boolean => at > end
    && senses.some(({ kind }) => namesValue(kind, said))
  if (!HAN.test(key) || others.some(isBehind)) return false
  const from = lastClause(text, start)
  const clause = text.slice(from, end) + (text.slice(end).split(CLAUSE_END)[0] ?? '')
  const rest = text.slice(from + clause.length + 1)
  const isAsked = others.some((other) => other.start > from + clause.length)
    && !others.some((other) => other.start >= from && other.start < start) && !ADDS.test(rest)
  if (!isAsked) return false
  if (TOLD.test(clause)) return WANTS.test(rest)
  return PLAN.test(text.slice(from, start)) && !ASKS.test(clause) && ASKS.test(rest)
}

const AND_NEAR = /(?:and|plus|also|,|or)(?: [a-z]+){0,2} $/

const inSlot = (text: string, { start }: Name): boolean =>
  SLOT.test(text.slice(lastClause(text, start), start))

/** In clauses of their own. */
const isApart = (text: string, one: Name, other: Name): boolean => CLAUSE_END.test(
  one.start < other.start ? text.slice(one.end, other.start) : text.slice(other.end, one.start))

/** 炖 of 炖燕窝 is done with it. */
export function isObject(
  text: string, { start, senses }: Name, names: readonly Name[] = [],
): boolean {
  const from = Math.max(lastClause(text, start), start - 6,
    ...names.filter(({ end }) => end <= start).map(({ end }) => end))
  const said = /\p{Script=Han}+$/u.exec(text.slice(from, start))?.[0] ?? ''
  const word = said === '' ? undefined : taggedWords(said).at(-1)
  return word !== undefined && word.tag.startsWith('v') && !BUYING.test(word.text)
    && !isLead(word.text)
    // 透明 of 透明壳 is a value, though a dictionary takes it for a verb.
    && !senses.some(({ kind }) => namesValue(kind, word.text))
}

export function lastClause(text: string, at: number): number {
  for (let from = at; from > 0; from -= 1) {
    // 3.0 is one number.
    if (CLAUSE_END.test(text.charAt(from - 1))
      && !/\d\.\d/.test(text.slice(Math.max(0, from - 2), from + 1))) return from
  }
  return 0
}

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
  if (!HAN.test(name.key)) {
    return /[a-z]/.test(name.key) && !inSlot(text, name)
      && !AND_NEAR.test(text.slice(Math.max(0, name.start - 12), name.start))
      && others.some((other) => inSlot(text, other) && isApart(text, name, other))
  }
  return isObject(text, name, names) && others.some((other) => !isObject(text, other, names)
    && (other.start > name.end || text.charAt(name.start - 1) !== '装'))
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

/** Words of a sentence that nobody here knows, and what of them is worth telling. */
import { fold } from './fold.ts'
import { profileOf } from './profile.ts'
import { PEOPLE, wordsFor } from './read/people.ts'
import { phrases } from './read/phrases.ts'
import { FILLERS, list, MEALS, OCCASIONS, PROMOTIONS } from './read/words.ts'
import { taggedWords } from './segment.ts'
import type { Guess, Keyword, Understanding } from './understanding.ts'

/** What neither names goods nor stands in anything that is known of the goods that are meant. */
export const unclearOf = (
  keywords: readonly Keyword[], kinds: readonly Guess<string>[],
): Keyword[] => keywords.filter(({ role, folded }) => role === 'word'
  && !kinds.some(({ value }) => profileOf(value).text.includes(folded)))

const SAID = phrases([...PEOPLE.flatMap(wordsFor), ...OCCASIONS, ...PROMOTIONS, ...MEALS,
  ...FILLERS.filter((word) => word.length > 1)])
const HAN = /\p{Script=Han}/u
/** Nouns, what describes them, and sayings. */
const TELLING = /^(?:n(?!r$|s$)|a(?!d$)|vn|z|b|i|l|j)/
/** Nouns and adjectives of talk. */
const TALK: ReadonlySet<string> = new Set(list(`公司|办法|玩意儿|理由|差不多|一样|机器|一口|时间|情况
    |why|chose|choose|living|room|keep|sell|that's|please|explain|house|place|stuff|lots|currently
    |maybe|really|already|always|usually|hoping|thinking|trying|wondering|planning`))
/** 个 of 个体面点 counts. */
const CUT = /^[个条点些]|[点些]$/g
const TOLD_MAX = 3
const LENGTH = { least: 2, most: 12 } as const

/** Those by which goods might have been chosen: no people, no days, no words of speech. */
export function unusedWords({ unclear, kinds }: Understanding): string[] {
  if (kinds.length === 0) return []
  return [...new Set(unclear.map(({ text }) => fold(text).trim().replace(CUT, ''))
    .filter(isTelling))].slice(0, TOLD_MAX)
}

function isTelling(word: string): boolean {
  if (word.length < LENGTH.least || word.length > LENGTH.most) return false
  if (!HAN.test(word)) return word.length > LENGTH.least && !SAID.has(word) && !TALK.has(word)
  const rest = SAID.find(word).reduceRight((text, { start, end }) =>
    text.slice(0, start) + ' '.repeat(end - start) + text.slice(end), word)
  return taggedWords(rest).some(({ text, tag }) =>
    text.trim().length >= LENGTH.least && TELLING.test(tag) && !TALK.has(text))
}

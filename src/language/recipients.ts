/** Whom goods are bought for who are not told by a wish: 给老婆, 儿子十五, and 男 of 男鞋. */
import type { Audience } from '../goods/taxonomy.ts'
import { audiencesIn, isGrownChild } from './audience.ts'
import { fold } from './fold.ts'
import { PEOPLE, wordsFor } from './read/people.ts'
import type { Keyword, Understanding } from './understanding.ts'

type Said = Pick<Understanding, 'sentence' | 'ignored' | 'keywords' | 'prefer' | 'must'>

/** Whom a gift is for, and whom the name of the goods names: 男鞋. */
export function recipientsOf(understood: Said): Audience[] {
  const { sentence, ignored, keywords, prefer, must } = understood
  const said = [
    ...ignored.filter(({ why }) => why === 'recipient').map(({ text }) => fold(text)),
    ...keywords.filter((one) => isRecipient(one, understood)).map(({ folded }) => folded),
  ]
  if (isGrownChild(fold(sentence))) {
    const ages = must.filter(({ measure }) => measure?.unit === 'month')
    return [...new Set([...said, ...[...prefer, ...ages].map(({ text }) => fold(text))]
      .flatMap(grownAs))]
  }
  const named = keywords.filter(({ role }) => role === 'kind').map(({ folded }) => folded)
  return [...new Set([...said, ...said.length > 0 ? [] : named].flatMap(audiencesIn)
    .map(({ audience }) => audience))]
}

const wordsOf = (isOne: (person: (typeof PEOPLE)[number]) => boolean): ReadonlySet<string> =>
  new Set(PEOPLE.filter(isOne).flatMap(wordsFor))

const ADULTS = new Set(PEOPLE.filter(({ audience }) => audience === 'men' || audience === 'women')
  .flatMap(({ words }) => words))
const GROWN = { men: wordsOf(({ gift }) => gift === 'boy' || gift === 'man' || gift === 'father'),
  women: wordsOf(({ gift }) => gift === 'girl' || gift === 'woman' || gift === 'mother') }

/** 女朋友 is given something, which need not be made for women only; nor a son who is grown. */
export const isRecipient = ({ role, folded }: Keyword, { sentence }: Said): boolean =>
  role === 'word' && (ADULTS.has(folded) || (grownAs(folded).length > 0
    && isGrownChild(fold(sentence))))

/** 儿子 of fifteen is one of the men. */
const grownAs = (words: string): Audience[] => (['men', 'women'] as const).filter((audience) =>
  words.split(/[^a-z\p{Script=Han}]/u).some((word) => [...GROWN[audience]].some((one) =>
    word === one || (/\p{Script=Han}/u.test(one) && word.endsWith(one)))))

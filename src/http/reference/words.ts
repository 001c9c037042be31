import type { InBoth } from '../../site/locale.ts'
import { wordsEn, type Words } from './words-en.ts'
import { wordsZh } from './words-zh.ts'

export type { Words } from './words-en.ts'
export const WORDS: InBoth<Words> = { en: wordsEn, zh: wordsZh }

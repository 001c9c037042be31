/** 请用英文告诉我理由, "please answer in Chinese". */
const ASKS_ENGLISH = /用英[文语]|英[文语](?:回|说|写|告诉)|(?<![a-z])in english(?![a-z])/iu
const ASKS_CHINESE = /用中文|用汉语|(?<![a-z])in chinese(?![a-z])/iu

export type Language = 'zh' | 'en'

/** Answers are in the language of the question, unless it asks for the other. */
export const languageOf = (sentence: string): Language => ASKS_CHINESE.test(sentence)
  || (/\p{Script=Han}/u.test(sentence) && !ASKS_ENGLISH.test(sentence)) ? 'zh' : 'en'

export type Say = (zh: string, en: string) => string

export const sayFor = ({ language }: { readonly language: Language }): Say =>
  (zh, en) => language === 'zh' ? zh : en

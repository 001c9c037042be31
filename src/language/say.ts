/** Answers are in the language of the question. */
export type Say = (zh: string, en: string) => string

export const sayFor = ({ sentence }: { readonly sentence: string }): Say => {
  const isChinese = /\p{Script=Han}/u.test(sentence)
  return (zh, en) => isChinese ? zh : en
}

/** What has to be said before goods are shown. */
import type { Say } from './answer-language.ts'

/** They take no medicine unasked. */
const CAREFUL = new RegExp('怀孕|孕[妇期早中晚妈]|备孕|哺乳|喂奶|母乳|坐月子|新生儿|刚出生|婴儿'
  + '|[一二两三四五六七八九十\\d]个月的?(?:宝|婴|娃|孩)'
  + '|(?<![a-z])(?:pregnan(?:t|cy)|breast-?feeding|newborn|infant)')
const MEDICINE = /药(?![妆皂浴盒箱])|(?<![a-z])(?:medicines?|medication|pills?|drugs?)(?![a-z])/

/** In a folded text. */
export const cautionsIn = (text: string, say: Say): string[] =>
  CAREFUL.test(text) && MEDICINE.test(text)
    ? [say('孕期、哺乳期或给婴儿用药，请先问医生或药师。',
      'Ask a doctor or a pharmacist about medicine in pregnancy, nursing, and for infants.')]
    : []

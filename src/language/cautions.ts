/** What has to be said before goods are shown. */
import type { Say } from './answer-language.ts'

/** They take no medicine unasked. */
const CAREFUL = new RegExp('怀孕|孕[妇期早中晚妈]|备孕|哺乳|喂奶|母乳|坐月子|新生儿|刚出生|婴儿'
  + '|[一二两三四五六七八九十\\d]个月的?(?:宝|婴|娃|孩)'
  + '|(?<![a-z])(?:pregnan(?:t|cy)|breast-?feeding|newborn|infant)')
const MEDICINE = /药(?![妆皂浴盒箱])|(?<![a-z])(?:medicines?|medication|pills?|drugs?)(?![a-z])/

/** 抗过敏药 is for it. */
const ALLERGY = new RegExp('(?<![抗防皮肤易])过敏(?![药性体])|不耐受|乳糜泻|[无不免]含?麸质?'
  + '|gluten[- ]free|(?<![a-z-])(?:celiac|coeliac|allerg(?:y|ic|ies)|intolerant)(?![a-z])')
/** 孕妇能用的面霜: whether it may be taken or put on. */
const ALLOWED = new RegExp('孕[妇期早中晚妈]?[^;,.。!?]{0,6}(?:能|可以?|适合)(?:用|吃|喝)'
  + '|(?:能|可以?|适合)[^;,.。!?]{0,4}孕妇(?:用|吃|喝)'
  + '|(?<![a-z])pregnancy[- ]safe|safe (?:for|in|during) pregnan')

/** Of what they eat. */
const SUGAR = new RegExp('(?:糖尿病|血糖(?:有点|比较|偏|太)?高|高血糖)(?=.*(?:吃|喝|饼|点心|零食|糕|饭|米|面|奶|水果|饮|粉|月饼|粽))'
  + '|(?:吃|喝|饼|点心|零食|糕|月饼|粽).*(?:糖尿病|血糖高|高血糖)|(?<![a-z])diabet.*(?:snack|food|eat|biscuit|cookie)')

/** In a folded text. */
export function cautionsIn(text: string, say: Say): string[] {
  if (CAREFUL.test(text) && MEDICINE.test(text)) {
    return [say('孕期、哺乳期或给婴儿用药，请先问医生或药师。',
      'Ask a doctor or a pharmacist about medicine in pregnancy, nursing, and for infants.')]
  }
  return [
    ...ALLERGY.test(text) ? [say('商品信息没有写明的成分不等于没有：过敏请以包装上的成分表为准。',
      'What goods do not state they may still contain: with an allergy, check the label.')] : [],
    ...SUGAR.test(text) ? [say('糖尿病人选食品，请看包装上的营养成分表（碳水化合物、糖）。',
      'With diabetes, read the carbohydrates and sugars on the label of food.')] : [],
    ...ALLOWED.test(text) ? [say('孕期能不能用，请以包装说明为准，或先问医生。',
      'Whether it may be used in pregnancy the label says, or a doctor.')] : [],
  ]
}

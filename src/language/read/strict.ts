/** Whether a wish was said to be the only one that does: 只要高帮的, "high top only". */
import type { Place } from './claims.ts'

const BEFORE = new RegExp('(?:只(?:要|考虑|认|看|买|能要?|收|接受|限)|必须|一定[要得]|非得?|就要|(?<![a-z])(?:only'
  + '|strictly|must (?:be|have)|has to (?:be|have)|needs? to be))(?:是|有|带|得|的|an?|the| )*$')
const BEHIND = /^(?:的|款|那种|这种|ones?|style|type|version| )*(?:only(?![a-z])|才(?:行|要|考虑|买|可以)|不可$)/
/** Behind everything: nothing else will do. */
const OTHERS = new RegExp('^[的款型装式码号]{0,3}[;,.。!? ]+(?:其他|其它|别的|另外|剩下)的?(?:颜色|款式?|类型|种类|牌子|品牌|材质'
  + '|口味|型号|尺寸|规格)?(?:我|都|就|也|一律|一概|统统|通通)*(?:不要|不考虑|不看|不行|不买|不用|免谈|算了|免了)'
  + '|^[a-z ]{0,8}[;,.。!? ]+(?:nothing else|no others?|no substitutes?)(?![a-z])')

export const isStrict = (text: string, { start, end }: Place): boolean =>
  BEFORE.test(text.slice(Math.max(0, start - 20), start)) || BEHIND.test(text.slice(end))
    || OTHERS.test(text.slice(end).replace(/^用/, ''))

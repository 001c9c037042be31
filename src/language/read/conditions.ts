/** What follows for goods from a state of health, a diet or a faith; no medical advice. */
import { list } from './words.ts'

export interface Condition {
  readonly said: RegExp
  /** Any of these is wished. */
  readonly wanted: readonly string[]
  /** What comes nearest where no goods say any of these. */
  readonly nearest?: readonly string[]
  /** Groups and words that goods must not have. */
  readonly refused: readonly string[]
  /** `food`: food without the wish is told to be so; other goods have it or do not. */
  readonly on: 'food' | 'any'
}

/** Words of health that are no misspelt goods. */
export const HEALTH = list(`过敏|不耐受|乳糖不耐受|糖尿病|血糖|高血糖|高血压|高血脂|胆固醇|痛风|尿酸|减肥|减脂|控糖|清真|素食|吃素|孕妇|怀孕|敏感肌
    |allergic|allergy|allergies|intolerant|intolerance|diabetic|diabetes|hypertension|cholesterol
    |gout|coeliac|celiac|halal|vegan|vegetarian|pregnant|pregnancy|breastfeeding|free|avoid
    |besides|except|excluding|without|contain|contains|anything|everything|nothing|other|rather
    |instead`)

export const CONDITIONS: readonly Condition[] = [
  { said: new RegExp(String.raw`糖尿病(?:人|患者)?|血糖(?:有点|比较|偏|太)?高|高血糖|控糖|稳糖|糖友|戒糖|抗糖|diabet(?:ic|es)s?`
    + String.raw`|high blood sugar|blood sugar`, 'g'),
    wanted: list('无糖|0糖|零糖|低糖|低gi|控糖|无蔗糖|无添加糖|代糖|木糖醇|sugar free'),
    nearest: list('粗粮|杂粮|全麦|黑麦|荞麦|燕麦|苏打|高纤|咸味|原味'), refused: ['糖'], on: 'food' },
  { said: /高血压|血压(?:有点|比较|偏)?高|控盐|限盐|hypertension|high blood pressure/g,
    wanted: list('低盐|减盐|薄盐|低钠|无盐|少盐|无添加盐|low sodium|low salt'), refused: ['盐'], on: 'food' },
  { said: new RegExp(String.raw`减肥(?:期间?|的时候|中)?|减脂期?|瘦身|控卡|控制体重|健身餐|los(?:e|ing) weight`
    + String.raw`|weight loss|(?:on a )?diet(?!ary)`, 'g'),
    wanted: list(`低脂|0脂|0脂肪|零脂|脱脂|低卡|0卡|零卡|无糖|0糖|低糖|高蛋白|轻食|减脂|减脂可吃|减脂轻食|代餐|低脂轻食|低卡高纤
      |low fat|low calorie`), refused: [], on: 'any' },
  { said: /高血脂|血脂(?:有点|比较|偏)?高|胆固醇(?:有点|比较|偏)?高|高胆固醇|high cholesterol/g,
    wanted: list('低脂|0脂|0脂肪|脱脂|0胆固醇|零胆固醇|low fat'), refused: ['油'], on: 'food' },
  { said: /痛风|(?:高尿酸|尿酸(?:有点|比较|偏)?高)(?![仪试])|gout(?![a-z])/g,
    wanted: list('低嘌呤'), refused: ['海鲜', '内脏', '啤酒', '酒'], on: 'any' },
  { said: /喝(?:了)?(?:牛)?奶(?:就|会)?(?:拉肚子|腹泻|胀气)/g,
    wanted: [], refused: ['乳糖'], on: 'any' },
  { said: /乳糜泻|coeliac|celiac/g, wanted: [], refused: ['麸质'], on: 'any' },
  { said: /清真|穆斯林|回族|halal|muslim/g, wanted: list('清真|halal'),
    refused: ['猪肉', '酒精'], on: 'food' },
  { said: /纯素(?:食)?(?:者|主义者?)?|全素|(?<![a-z])vegans?(?! leather)(?![a-z])/g,
    wanted: list('纯素|全素|素食|素食可用|素食可吃|植物蛋白|大豆蛋白|豌豆蛋白|植物基|vegan'),
    refused: ['肉', '牛奶', '鸡蛋', '蜂蜜', '明胶', '胶原'], on: 'any' },
  { said: /(?:我|是)?(?:常年|一直|长期)?(?:吃素的?|素食(?:者|主义者?)|信佛)|vegetarians?(?![a-z])/g,
    wanted: list('素食|素食可用|素食可吃|素|vegetarian'), refused: ['肉'], on: 'any' },
  { said: /怀孕|孕期|孕妇|孕早期|备孕|哺乳期?|pregnant|pregnancy|breastfeeding/g,
    wanted: [], refused: ['酒', '视黄醇', '水杨酸'], on: 'any' },
  { said: /敏感(?:性)?(?:肌肤?|皮肤?)|皮肤(?:很|比较|容易)?(?:敏感|过敏)|易过敏|sensitive skin/g,
    wanted: [], refused: ['酒精'], on: 'any' },
]

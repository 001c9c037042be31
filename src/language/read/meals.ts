/** Whether a meal or a drink is to be brought, so that the food-coupon source should be asked. */
import { FOOD } from '../../goods/categories.ts'
import { categoryOf } from '../../goods/taxonomy.ts'
import { overlaps, type Place } from './claims.ts'
import { CHAIN_PHRASES, DISH_AT, DISH_OF, HOME_MADE, popularAt } from './menu.ts'
import type { Name } from './names.ts'
import { phrases } from './phrases.ts'
import { DELIVERY, MEALS, NOT_MEAL_AFTER } from './words.ts'

const MEAL_PHRASES = phrases(MEALS)
const DISH_PHRASES = phrases(DISH_OF.keys())
/** Paid for before it is eaten: of a dish or a place to eat it is a meal's. */
const COUPON = new RegExp('团购券?|代金券|抵用券|优惠券|自助券?|餐券|[券卷](?![包后])'
  + '|(?<![a-z])(?:coupon|voucher|deal)s?(?![a-z])')
/** 订五份, where the number was read before; 来点 buys some. */
const ORDERED = /(?:[订叫]|(?<![来买整弄搞要带囤有早晚])点)(?=\0|$|[;,.。])/
/** 去吃顿烤鱼, 能订吗: it is eaten where it is cooked. */
const EATEN_OUT = new RegExp('去(?:外面|店里|下馆子)?吃(?:个|点|顿|一顿)?|(?<![回在]家|家里)吃一?顿'
  + '|[订定](?:个|张)?[位桌座]|能[订定][吗么]'
  + '|(?<![a-z])(?:go(?:ing)? out for|eat out|book a table|reserve a table)(?![a-z])')
/** Said of a place to eat. */
const AT_CHAIN = new RegExp(`${COUPON.source}|优惠|套餐|[单双两二三四五六]人餐|[点叫订来][一两三四五]?[个份杯单桶]`
  + '|外卖|外送|吃|喝|饮品|午餐|晚餐|早餐|order|lunch|dinner|meal|deliver')
/** A meal without a dish: 晚饭, lunch. */
const MEAL_TIME = new RegExp('(?<=[订点叫][个份顿]?)饭(?![盒团店锅])|午餐|晚餐|早餐|午饭|晚饭|早饭|中饭'
  + '|宵夜|夜宵|下午茶|工作餐|(?<![a-z])(?:lunch|dinner|breakfast|'
  + 'brunch|supper|afternoon tea)(?![a-z])')
/** Said of one that is eaten soon, not of goods for it. */
const SOON = new RegExp('代金券|抵用|吃|喝|点个|叫个|来[份个杯]|今[天晚]|中午|晚上|人|预算|便宜|券|红包'
  + '|(?<![a-z])(?:for|under|deal|'
  + 'order|cheap|eat|hungry|coupon|today|tonight)(?![a-z])')
/** A place to eat, whatever is served. */
const EATING_OUT = new RegExp('下馆子|吃饭|吃顿|聚餐|餐厅|餐馆|饭店|饭馆|馆子|食堂|吃喝|美食|堂食|自助餐'
  + '|(?<![a-z])(?:restaurants?|diners?|eat(?:ing)? out|dining|eateries|food court|food|meals?)'
  + '(?![a-z])')
const WHAT_TO_EAT = /(?:吃|喝)(?:点|个)?(?:什么|啥)|(?:what|something|anything) to (?:eat|drink)/
/** To be brought, or paid with a coupon, in so many words. */
const BROUGHT = new RegExp('外卖|外送|送到|送来|送上门|点餐|订餐|[订点叫][个份顿]?饭|到店|堂食|叫[个份]|点[个份一]'
  + '|优惠|团购|红包|代金券|满减|券(?!包)|coupon|voucher|(?<![a-z])deals?(?![a-z])'
  + '|deliver|takeaway|takeout|take-out|order')
const PEOPLE = new RegExp('([两俩二三四五六2-6]) ?(?:个)?人(?!份)'
  + '|(?:for|party of) (two|three|four|five|six|[2-6])'
  + '(?![a-z\\d])|我们俩|情侣|couple')
const COUNTS: Readonly<Record<string, number>> = {
  两: 2, 俩: 2, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6, two: 2, three: 3, four: 4, five: 5, six: 6,
}
/** Made or kept at home: goods are asked for, at whatever meal they are eaten. */
const AT_HOME = new RegExp('速冻|冷冻|热一下|热一热|加热|泡一下|冲一?[杯泡]|冲泡|冲着|一[冲泡]就|自己[做煮包烤]|囤|零食|即食|方便[食面]'
  + '|能马上吃|马上就?能吃|开袋|直接吃|泡着就?能?吃|随时能?吃|热热就'
  + '|减肥|减脂|低卡|低脂|不长?胖|怕胖|长肉|解馋|懒得做|下酒|就酒|食材|配料|煮着吃|蒸着吃|带去?(?:学校|公司|车上|路上)'
  + '|(?<![a-z])(?:gluten|low[- ]carb|low[- ]calorie|instant|frozen|snacks?|ingredients|pantry'
  + '|groceries|cook|diet)(?![a-z])')
/** Who cannot sleep asks what to take, and for no meal. */
const AILING = new RegExp('睡不[着好]|失眠|上火|便秘|大便|排便|晕车|想吐|积食|消化不良|拉肚子|养胃|胃(?:疼|痛|胀|不好|不舒服)'
  + '|感冒|咳嗽|嗓子|贫血|缺[铁钙锌]|补[血钙铁锌]')
/** How goods are to come, and whereto. */
const BRING = new RegExp('送(?:货)?(?:上门|到(?:我们?|咱们?)?(?:家|公司|单位|学校|宿舍|寝室|小区|门口|楼下|办公室|酒店'
  + '|宾馆|店|医院|村|乡下|工地|房间)(?:里|来|门口|楼下)?|过来|来(?=$|[ ;,.。!?吗]))'
  + '|(?<![a-z])(?:delivered|sent over|sent|brought|shipped)(?: straight| right)?'
  + '(?: to (?:my|our|the|room)(?: [a-z0-9]+){1,2})?(?![a-z])'
  + '|(?<![a-z])to (?:my|our) (?:door(?:step)?|flat|place|room|office|hotel|house|dorm|desk)'
  + '(?![a-z])', 'g')
/** Somebody is asked to bring it. */
const ASKED_TO = new RegExp('送[一两三]?[份碗]|[点叫订][一两三]?[份碗]'
  + '|(?<![a-z])(?:deliver(?:ed|y)?|(?:bring|send|order|get) me)(?![a-z])')
/** Cooked, and eaten at once. */
const COOKED = new RegExp('热乎|热腾腾|热[的汤]?(?:\\p{Script=Han}{0,3})[面饭菜粥粉饺]|[送点叫订][一两三]?碗'
  + '|[点叫订][一两三]?份|刚(?:出锅|做|煮|炒)|现[做煮炒]|饿(?!了么)'
  + '|(?<![a-z])(?:hot (?!water|chocolate|glass|pot|plate|glue|sauce|pack|compress)'
  + '|ready[- ]made|freshly (?:cooked|made)|starving|hungry|cooked meal)', 'u')
/** Places that say only how goods are to come. */
export const deliveriesIn = (text: string): Place[] => [...text.matchAll(BRING)]
  .map(({ 0: said, index }) => ({ start: index, end: index + said.length }))

/** What a kitten eats is no meal. */
const PETS = '金毛|泰迪|柯基|拉布拉多|哈士奇|边牧|比熊|博美|柴犬|布偶|英短|美短|橘猫|狗狗|狗子|猫咪|毛孩子'
const FEEDING = new RegExp(`(?:${PETS})[^。!?]{0,20}吃(?:什么|啥)|`
  + '[猫狗犬兔鼠龟鸟鱼虾鹅鸭羊马](?:子|咪|崽)?(?:该|要|能|可以|应该|适合|都|平时|现在|到底)?[吃喝](?:什么|啥)'
  + '|(?:喂|宠物|仓鼠|鹦鹉|毛孩子|毛娃|puppy|kitten|hamster)[^ ,;。]{0,6}吃(?:什么|啥)|吃(?:什么|啥)(?:口)?粮')
/** 送外卖 is what somebody works as. */
const DELIVERS = /^[送跑]外[卖送]$/
/** 懒得点外卖 asks for what is eaten at home. */
const NOT_BROUGHT = /(?:懒得|不想|不爱|不要|别|不能|没法|不用)再?(?:点|叫|订)外[卖送]/
const DISHES_MAX = 3

export interface FoundFood extends Place {
  readonly meant: 'yes' | 'maybe'
  /** Words that say only that it is to be brought. */
  readonly said: Place | null
  readonly dish: Place | null
  /** What to ask the source for: the dishes, or popular ones where none is named. */
  readonly dishes: readonly string[]
  readonly isNamed: boolean
  /** Made at home as well: whether a meal or goods are meant is asked. */
  readonly isOpen: boolean
  readonly people: number | null
}

/**
 * In `text` what was read before is masked, and not in `whole`. `isPacked`: the sentence asks for a
 * box or 500 g of it.
 */
export function foodIn(
  text: string, names: readonly Name[], isPacked: boolean, whole = text,
): FoundFood | undefined {
  const isElse = AT_HOME.test(whole) || AILING.test(whole) || FEEDING.test(whole)
  if (NOT_BROUGHT.test(whole) || (isElse && !BROUGHT.test(whole))) return undefined
  const isMeal = ({ start, end }: Place): boolean => !NOT_MEAL_AFTER.test(text.slice(end, end + 12))
    && !DELIVERS.test(text.slice(start - 1, end))
  // The dish itself, not a word of another name, and nothing else to buy behind it.
  const isDish = (place: Place): boolean => isMeal(place)
    && !names.some((name) => overlaps(name, place)
      && (name.start < place.start || name.end > place.end))
  const isGoods = ({ start, end }: Name): boolean => !DISH_OF.has(text.slice(start, end))
    && !MEAL_TIME.test(text.slice(start, end)) && !/^[吃喝]/.test(text.slice(start, end))
  const all = DISH_PHRASES.find(text).filter(isDish)
  const [dish] = all.slice(-1)
  const goodsBehind = (at: number): boolean =>
    names.some((name) => name.start >= at && isGoods(name))
  const [chain] = CHAIN_PHRASES.find(text)
  const said = AT_CHAIN.exec(whole)
  // 汉堡王 is a place, and its name no dish; what they sell in shops is goods.
  if (chain && !isPacked && !goodsBehind(chain.end) && (said || chain.end === text.length)) {
    const named = all.find(({ start }) => start >= chain.end)?.phrase
    return { start: chain.start, end: chain.end, said: chain, dish: null, isNamed: true,
      dishes: [DISH_OF.get(named ?? '') ?? DISH_AT.get(chain.phrase) ?? ''],
      people: peopleIn(whole), isOpen: false, meant: 'yes' }
  }
  const dishes = [...new Set(all.map(({ phrase }) => DISH_OF.get(phrase) ?? phrase))]
    .slice(0, DISHES_MAX)
  const isNamed = dishes.length > 0
  const rest = {
    dish: dish ?? null, isNamed, people: peopleIn(text), isOpen: false,
    dishes: isNamed ? dishes : popularAt(text),
  }
  const meal = MEAL_PHRASES.find(text).find((place) => isMeal(place)
    // 喝什么酸奶好 asks for yoghurt.
    && (!WHAT_TO_EAT.test(text.slice(place.start, place.end)) || !goodsBehind(place.end)))
  const atHome = dishes.length === 1 && HOME_MADE.has(dishes[0] ?? '') && !BROUGHT.test(text)
  if (meal && (BROUGHT.test(text) || isNamed || !goodsBehind(0))) {
    const { start, end } = meal
    return { start, end, said: meal, ...rest, meant: atHome ? 'maybe' : 'yes', isOpen: atHome }
  }
  if (dish && !goodsBehind(dish.end)) return servedDish(text, dish, isPacked, atHome, rest)
  const cooked = isPacked ? undefined : cookedIn(whole, names)
  if (cooked) {
    const inner = DISH_PHRASES.find(whole).at(-1)?.phrase
    return { ...cooked, said: cooked, ...rest, meant: 'yes',
      ...!isNamed && inner !== undefined
        && { isNamed: true, dishes: [DISH_OF.get(inner) ?? inner] } }
  }
  const time = MEAL_TIME.exec(text) ?? WHAT_TO_EAT.exec(text)
    ?? (COUPON.test(whole) ? EATING_OUT.exec(text) : null)
  const at = time && { start: time.index, end: time.index + time[0].length }
  if (!at || !isMeal(at) || isPacked || isNamed || names.some(isGoods)) return undefined
  return SOON.test(text) ? { ...at, said: at, ...rest, meant: 'yes' } : undefined
}

/** 整碗热乎的过桥米线送上门, "hot laksa to my door": whatever the dish is, it is a meal. */
function cookedIn(text: string, names: readonly Name[]): Place | undefined {
  const [bring] = deliveriesIn(text)
  const asked = ASKED_TO.exec(text)
  if (!COOKED.test(text) || (!bring && !asked)) return undefined
  const isEaten = ({ senses, end }: Name): boolean => text.startsWith(' of ', end)
    || senses.some(({ kind }) => FOOD.has(categoryOf(kind)))
  const place = bring ?? (asked && { start: asked.index, end: asked.index + asked[0].length })
  return names.every(isEaten) && place ? place : undefined
}

type Rest = Omit<FoundFood, 'start' | 'end' | 'said' | 'meant'>

function servedDish(
  text: string, { start, end }: Place, isPacked: boolean, atHome: boolean, rest: Rest,
): FoundFood | undefined {
  const coupon = COUPON.exec(text)
  const out = coupon ?? EATEN_OUT.exec(text)
  const cue = out ?? DELIVERY.exec(text) ?? ORDERED.exec(text)
  if (cue) {
    const said = { start: cue.index, end: cue.index + cue[0].length }
    const isOpen = atHome && out === null
    return { start, end, said: overlaps(said, { start, end }) ? null : said, ...rest,
      meant: isOpen ? 'maybe' : 'yes', isOpen }
  }
  const isTogether = rest.people !== null || MEAL_TIME.test(text) || /朋友|聚餐|friends/.test(text)
  if (rest.people !== null && MEAL_TIME.test(text) && !atHome) {
    return { start, end, said: null, ...rest, meant: 'yes' }
  }
  return isPacked ? undefined
    : { start, end, said: null, ...rest, meant: 'maybe', isOpen: atHome && isTogether }
}

function peopleIn(text: string): number | null {
  const [found, han, latin] = PEOPLE.exec(text) ?? []
  const word = han ?? latin ?? ''
  return found === undefined ? null : word === '' ? 2 : COUNTS[word] ?? Number(word)
}

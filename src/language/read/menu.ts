/** What restaurants serve: dishes with their other names, and what is liked at which meal. */
import { phrases } from './phrases.ts'
import { list } from './words.ts'

/** The name under which a dish is asked for, then its other names. */
const DISHES = list(`奶茶 珍珠奶茶 bubble-tea milk-tea boba
    |果茶 水果茶|柠檬茶|杨枝甘露|咖啡 coffee|拿铁 latte|美式 americano
    |汉堡 汉堡包 burger burgers hamburger|炸鸡 fried-chicken|鸡排|薯条 fries french-fries|披萨 比萨 匹萨 pizza pizzas
    |三明治 sandwich sandwiches|盖饭 盖浇饭 rice-bowl|黄焖鸡|麻辣烫|冒菜|麻辣香锅|烧烤 烤串 撸串 barbecue bbq|串串 串串香
    |火锅 hot-pot hotpot|小龙虾 crayfish|烤鱼|酸菜鱼|烤鸭|寿司 sushi|沙拉 salad|轻食|便当 bento 盒饭 工作餐 简餐|快餐 fast-food
    |炒饭 fried-rice|炒面
    |水饺|饺子 dumplings|包子|粥 congee|牛肉面 beef-noodles|拉面 ramen|米线 米粉 嗦粉 嗦个粉 嗦碗粉|螺蛳粉|酸辣粉|煲仔饭|肠粉|烤肉|日料
    |冰淇淋 ice-cream
    |甜品 dessert desserts|蛋糕 cake`)
  .map((names) => names.split(' ').map((name) => name.replaceAll('-', ' ')))

export const DISH_OF = new Map(DISHES.flatMap((names) =>
  names.map((name): [string, string] => [name, names[0] ?? name])))

/** Where people eat, with what is asked for there: each dish, then the places. */
const CHAINS = list(`炸鸡 肯德基 kfc 德克士|汉堡 麦当劳 mcdonalds mcdonald's 金拱门 汉堡王 burger-king 华莱士 塔斯汀
    |披萨 必胜客 pizza-hut 达美乐 domino's 尊宝|咖啡 星巴克 starbucks 瑞幸 luckin 库迪
    |奶茶 喜茶 奈雪 蜜雪冰城 霸王茶姬 古茗 茶百道 沪上阿姨 书亦烧仙草 coco奶茶 茶颜悦色|火锅 海底捞 呷哺呷哺 小龙坎 巴奴
    |盖饭 老乡鸡 真功夫 吉野家|水饺 沙县小吃 沙县|麻辣烫 杨国福 张亮|牛肉面 西贝 味千拉面|酸菜鱼 太二|三明治 subway 赛百味|鸡排 正新鸡排
    |小龙虾 绝味|冰淇淋 哈根达斯 dq`)
  .map((names) => names.split(' ').map((name) => name.replaceAll('-', ' ')))

export const DISH_AT = new Map(CHAINS.flatMap(([dish = '', ...names]) =>
  names.map((name): [string, string] => [name, dish])))

export const CHAIN_PHRASES = phrases(DISH_AT.keys())

/** Made at home from goods as often as ordered. */
export const HOME_MADE = new Set(['火锅', '烧烤', '饺子', '水饺', '烤肉', '咖啡', '蛋糕'])

/** Meals, and dishes that are popular at them. */
const MEALS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/早饭|早餐|早上吃|breakfast/, ['包子', '粥', '三明治']],
  [/下午茶|afternoon tea|tea time/, ['奶茶', '咖啡', '甜品']],
  [/夜宵|宵夜|late[ -]night|midnight/, ['烧烤', '小龙虾', '炸鸡']],
  [/想喝|喝点|喝什么|喝啥|drink/, ['奶茶', '咖啡', '柠檬茶']],
]
const ANY_MEAL = ['盖饭', '汉堡', '麻辣烫'] as const

export const popularAt = (text: string): readonly string[] =>
  MEALS.find(([said]) => said.test(text))?.[1] ?? ANY_MEAL

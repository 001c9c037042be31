/**
 * Words for a whole group of goods, substances or looks: who refuses seafood refuses shrimp, and
 * who refuses leather refuses 头层牛皮. Titles name the members, or deny the group: 无酒精.
 */
import { phrases } from './read/phrases.ts'
import { list } from './read/words.ts'

export interface Group {
  /** What shoppers call it, folded. */
  readonly names: readonly string[]
  /** What in a title tells that it is in the goods. */
  readonly members: readonly string[]
  /** What in a title tells that it is not; goods that say so are never refused. */
  readonly denials: readonly string[]
  /** Goods that are called by a member have it, whatever else they are: 辣条 are wheat. */
  readonly isInNames?: true
  /** How further members are formed. */
  readonly form?: RegExp
  /** Members that no denial beside them takes back. */
  readonly surely?: readonly string[]
}

const DENYING = ['无', '不含', '0', '零', '无添加', '零添加', '不添加', '0添加', '不加', '未添加', '不带',
  '没有', '免']
const denied = (...words: readonly string[]): string[] => words.flatMap((word) =>
  /[a-z]/.test(word) ? [`${word} free`, `${word}-free`, `no ${word}`, `non-${word}`]
    : DENYING.map((prefix) => prefix + word))

const SEAFOOD = list(`海鲜|鱼|虾|蟹|贝|蚝|蛤|蛏|鱿|墨鱼|章鱼|八爪|海参|鲍|三文|鳕|干贝|瑶柱|刺身|seafood|fish|shrimp|prawn|crab
    |salmon|tuna|squid`)
const POULTRY = list('鸡肉|鸡胸|鸡腿|鸡翅|鸡块|鸡丝|鸡丁|土鸡|乌鸡|炸鸡|鸡排|凤爪|鸡爪|奥尔良|chicken')
const BEEF = list('牛肉|牛排|牛腩|牛柳|牛腱|肥牛|牛油|牛筋|牛丸|牛杂|毛肚|beef')
const PORK = list(`猪|排骨|五花|培根|火腿|腊肉|腊肠|香肠|烤肠|午餐肉|里脊|肉松|叉烧|云腿|红烧肉|鲜肉|豚骨|鱼香肉丝|pork|bacon|ham`)
const LAMB = list('羊肉|羊排|羊腿|羊蝎子|羊杂|lamb|mutton')
const DUCK = list('鸭肉|鸭脖|鸭腿|鸭胸|鸭翅|鸭舌|烤鸭|酱鸭|盐水鸭|老鸭|整鸭|duck')
const MEAT = [...POULTRY, ...BEEF, ...PORK, ...LAMB, ...DUCK,
  ...list('肉干|肉脯|肉丸|肉馅|肉酱|肉肠|烧烤肉|荤|鹅肉|兔肉|鹿肉|meat|jerky|turkey')]
const DAIRY = list(`牛奶|鲜奶|纯奶|羊奶|生牛乳|牛乳|酸奶|奶酪|奶粉|芝士|黄油|奶油|炼乳|奶片|奶糖|奶茶|奶昔|乳清|乳酪|拿铁|奶香|奶盖|冰淇淋|雪糕|乳饮料
    |乳酸菌|milk|cheese|butter|cream|yogurt|yoghurt|whey`)
const EGG = list('鸡蛋|蛋黄|蛋白粉|鸭蛋|皮蛋|卤蛋|蛋糕|蛋卷|蛋挞|蛋黄酥|沙拉酱|egg|eggs')
const ALCOHOL = list(`酒精|白酒|红酒|啤酒|葡萄酒|黄酒|米酒|果酒|威士忌|伏特加|朗姆|金酒|白兰地|料酒|醪糟|酒酿|酒心|乙醇|alcohol|wine|beer
    |whisky|vodka`)
const PEANUT = list('花生|peanut|peanuts')
const NUTS = [...PEANUT, ...list(`坚果|核桃|杏仁|腰果|榛|开心果|巴旦木|夏威夷果|碧根果|松子|板栗|瓜子|五仁|果仁|nut|nuts|almond
    |almonds|cashew|walnut|walnuts|hazelnut|pistachio`)]
const LEATHER = list(`真皮|头层|二层|牛皮|羊皮|猪皮|鳄鱼皮|皮革|皮质|pu皮|pu革|水洗pu|超纤皮|超纤革|漆皮|皮面|皮艺|人造革|仿皮|纳帕皮|荔枝纹|小羊皮
    |绵羊皮
    |科技皮|素皮|软皮|翻毛皮|皮毛一体|牛反绒|麂皮|皮衣|皮鞋|皮带|皮靴|leather|suede`)

const group = (names: string, members: readonly string[], denials: readonly string[] = []): Group =>
  ({ names: list(names), members, denials })

/** What some may not eat at all. */
const allergen = (...parts: Parameters<typeof group>): Group =>
  ({ ...group(...parts), isInNames: true })

/** 雪松木香, but neither 无香 nor 五香. */
const SCENT = /(?<!\p{Script=Han})(?![无零免五茴丁酱浓麻椒])\p{Script=Han}{1,6}香(?!\p{Script=Han})/u

export const GROUPS: readonly Group[] = [
  allergen('海鲜|海产|海产品|水产|鱼虾|虾蟹|seafood|shellfish', SEAFOOD, denied('海鲜')),
  group('虾|虾仁|shrimp|shrimps|prawn|prawns', list('虾|shrimp|prawn')),
  group('鱼|鱼肉|鱼类|fish', list('鱼|三文|鳕|金枪|fish|salmon|tuna'), denied('鱼肉')),
  group('螃蟹|蟹|蟹肉|crab|crabs', list('蟹|crab')),
  group('鸡|鸡肉|chicken|poultry', POULTRY, denied('鸡肉', 'chicken')),
  group('牛肉|beef', BEEF, denied('牛肉')),
  group('猪肉|pork|猪', PORK, denied('猪肉')),
  group('羊肉|lamb|mutton', LAMB, denied('羊肉')),
  group('鸭肉|鸭|duck', DUCK, denied('鸭肉')),
  group('红肉|red meat', [...BEEF, ...PORK, ...LAMB]),
  group('肉|肉类|肉馅|肉的|荤|荤的|荤菜|荤腥|meat', [...MEAT, ...SEAFOOD],
    list('素肉|素食|纯素|全素|素菜|meat free|meat-free|vegan|vegetarian')),
  group('内脏|动物内脏|下水|offal', list('毛肚|牛杂|羊杂|肝|肚丝|肥肠|鸭肠|鸡胗|郡肝|腰花')),
  group('乳制品|奶制品|牛奶|牛奶蛋白|牛乳蛋白|乳蛋白|奶|乳糖|牛奶制品|dairy|milk|lactose', DAIRY,
    [...denied('乳糖', '牛奶', '奶', 'lactose', 'dairy'), ...list(`低乳糖|舒化|植物奶|豆奶|燕麦奶|椰奶|杏仁奶|植物基|植脂
      |oat milk|soy milk|almond milk`)]),
  group('鸡蛋|蛋类|蛋|蛋制品|egg|eggs', EGG, denied('蛋', '鸡蛋')),
  allergen('花生|花生酱|peanut|peanuts', PEANUT, denied('花生')),
  allergen('坚果|果仁|nuts|nut|tree nuts', NUTS, denied('坚果', 'nut')),
  group('核桃|walnut|walnuts', list('核桃|walnut|walnuts')),
  group('大豆|黄豆|豆制品|豆类|soy|soya', list('大豆|黄豆|豆浆|豆腐|豆干|豆奶|腐竹|酱油|豆皮|soy|tofu')),
  group('芒果|mango|mangoes', list('芒果|杨枝甘露|mango')),
  allergen('麸质|小麦|面筋|gluten|wheat', list(`麸|面筋|辣条
    |小麦|面粉|面包|饼干|挂面|拉面|面条|意大利面|意面|方便面|馒头|包子|水饺|饺子|馄饨|蛋糕|吐司|披萨
      |燕麦|大麦|黑麦|全麦|麦片|鸡蛋面|手擀面|泡面|gluten|wheat`), [...denied('麸质', '麸', 'gluten', '小麦'), '荞麦']),
  group('谷物|谷|粮食|grain|grains', list('谷物|小麦|玉米|大米|糙米|燕麦'),
    [...denied('谷', '谷物', 'grain'), '无谷配方']),
  group('糖|糖分|蔗糖|白糖|加糖|有糖|带糖|放糖|含糖|sugar|added sugar', list(`全糖|加糖|含糖|原味糖|红糖|冰糖|黑糖|白砂糖|白糖|焦糖|糖浆|炼乳
    |蜂蜜|枫糖|蜜汁|糖霜|拔丝|夹心糖|sugar`),
    [...denied('糖', '蔗糖', '白砂糖', 'sugar'), ...list(`代糖|木糖醇|赤藓糖醇|甜菊|零卡糖|控糖|unsweetened
      |sugarless|no sugar`)]),
  group('甜|甜的|甜味|甜口|甜食|甜馅|sweet', list(`豆沙|蜜枣|八宝|莲蓉|枣泥|红豆|蜜豆|奶黄|椰蓉|巧克力|果酱|流心奶黄|水果馅|甜型|半甜|甜酒|甜味|甜口
      |香甜|甜酱|sweet`), [...denied('甜'), '咸']),
  group('盐|盐分|钠|salt|sodium', list('咸|腌|盐焗|重盐'), denied('盐', '食盐', '钠', 'salt')),
  group('油|油脂|脂肪|fat', list('全脂|油炸|肥|高脂'), [...denied('脂', '脂肪', 'fat'), '脱脂', '低脂', '非油炸']),
  group('酒精|乙醇|酒|alcohol', ALCOHOL, [...denied('酒精', 'alcohol', '乙醇'), ...list(`无醇|非酒精|脱醇|不含酒
      |alcoholic-free|non-alcoholic|nonalcoholic`)]),
  group('咖啡因|caffeine', list('含咖啡因|咖啡|红茶|绿茶|乌龙|普洱|能量饮料|可乐|caffeine|coffee'),
    [...denied('咖啡因', 'caffeine'), '低因', '脱因', 'decaf']),
  { ...group('香精|香料|香味|香|香气|fragrance|perfume|scent',
    list('香型|留香|香氛|香味|花香|果香|香水|清香|皂香|香精'),
    [...denied('香', '香精', '香料', '香味', 'fragrance'), '无味', 'unscented']),
  form: SCENT, surely: ['留香', '飘香'] },
  group('氟|氟化物|fluoride', list('含氟|低氟|单氟|双氟|fluoride'), denied('氟', 'fluoride')),
  group('硅油|硅|silicone oil|silicones', list('含硅油|硅油'), denied('硅油', '硅', 'silicone')),
  group('皂基|soap', list('皂基'), denied('皂基')),
  group('防腐剂|preservatives|preservative', list('含防腐剂|防腐剂'), denied('防腐剂', 'preservative')),
  group('添加剂|添加|additives', list('含添加剂'), denied('添加剂', '添加')),
  group('色素|colouring|coloring|dyes', list('色素'), denied('色素')),
  group('荧光剂|荧光', list('荧光剂'), denied('荧光剂')),
  group('激素|hormones', list('激素'), denied('激素')),
  group('甲醛|formaldehyde', list('甲醛'), denied('甲醛')),
  group('视黄醇|a醇|维a|retinol', list('视黄醇|a醇|维a醇|早c晚a|retinol'), denied('视黄醇', 'a醇', 'retinol')),
  group('辣|辣的|辣味|辣椒|spicy|chili|chilli',
    list('麻辣|香辣|特辣|微辣|中辣|爆辣|变态辣|酸辣|甜辣|辣味|剁椒|泡椒|藤椒|火鸡面|辣|spicy'),
    [...denied('辣'), '不辣', 'not spicy']),
  group('薄荷|mint|peppermint', list('薄荷|留兰香|mint'), denied('薄荷', 'mint')),
  group('香菜|coriander|cilantro', list('香菜|芫荽|cilantro')),
  group('带灯|灯光|发光|发光的|rgb|光污染|backlight|backlit|lights', list('rgb|背光|灯效|灯光|发光|炫彩|幻彩|七彩|backlit'),
    [...denied('背光', '灯', 'rgb'), '无光']),
]

/** Materials and shapes: what has them may be wished as well as refused. */
export const APPEARANCE: readonly Group[] = [
  group('皮|皮的|皮质|皮革|皮料|皮面|皮子|leather', LEATHER, list('非皮|leather-free')),
  group('真皮|牛皮|genuine leather|real leather', list(`真皮|头层|二层|牛皮|羊皮|鳄鱼皮|植鞣|小羊皮|绵羊皮|纳帕皮|翻毛皮
      |genuine leather`), list('非真皮|仿真皮')),
  group('布|布艺|布料|布的|布面|fabric|cloth', list('布|棉麻|绒|雪尼尔|麂皮|fabric|cloth')),
  group('塑料|塑胶|plastic', list('塑料|塑胶|pp|ppsu|pc|abs|pvc|pet|plastic|tritan|as食品级'),
    denied('塑料', 'plastic')),
  group('毛|毛线|毛料', list('羊毛|羊绒|毛呢|美利奴|兔毛|wool|cashmere')),
  group('羊毛|wool', list('羊毛|毛呢|美利奴|merino|wool'), list('仿羊毛|人造羊毛')),
  group('化纤|synthetic|synthetics', list('涤纶|聚酯|腈纶|尼龙|锦纶|氨纶|丙纶|冰丝|polyester')),
  group('圆|圆的|圆形|圆圈|圆款|正圆|round', list('圆形|圆款|正圆|圆盘|圆圈|圆吸|圆桌|圆头|圆角|圆筒|round')),
  group('方|方的|方形|正方形|square', list('方形|方款|正方|方盘|square')),
  group('硬壳|硬壳的|hard shell|hardshell', list('硬壳|abs|pc|铝镁|铝框|聚碳酸酯|hard shell')),
  group('木|木头|木质|木制|实木|wood|wooden|solid wood', list(`实木|松木|橡木|橡胶木|胡桃木|桦木|榉木|楠木
      |檀木|鸡翅木|榆木|柚木|水曲柳|杉木|柏木|椴木|木质|竹木|整竹|楠竹`), list('仿木|木纹|密度板')),
  group('竹|竹子|竹制|竹质|bamboo', list('整竹|楠竹|竹席|竹板|竹木|竹编|竹质|竹制|竹纤维'), list('仿竹')),
  group('金属|metal', list('不锈钢|铝合金|铁艺|碳钢|合金|精铜|黄铜|纯钛|铸铁|精铁|精钢|金属')),
  group('不锈钢|钢|stainless steel|stainless', list('不锈钢|精钢')),
  group('铁|铁的|iron', list('精铁|铸铁|铁艺|熟铁|生铁|铁')),
  group('铝|铝的|铝制|aluminum|aluminium', list('铝合金|铝制|压铸铝|铝镁|铝框|铝')),
  group('铜|铜的|纯铜|copper|brass', list('黄铜|精铜|纯铜|紫铜|全铜')),
  group('玻璃|玻璃的|glass', list('玻璃|高硼硅|水晶玻璃')),
  group('陶瓷|瓷|瓷的|ceramic|porcelain', list('陶瓷|骨瓷|白瓷|青瓷|瓷器|红陶')),
  group('羽绒|羽毛|down', list('羽绒|鸭绒|鹅绒|羽毛|羽丝绒')),
  group('鸭绒|鸭毛|duck down', list('鸭绒')),
  group('鹅绒|鹅毛|goose down', list('鹅绒')),
  group('棉|棉的|纯棉|全棉|cotton', list(`纯棉|全棉|长绒棉|新疆棉|精梳棉|棉质|棉麻|棉混纺|棉氨|棉涤
      |棉线|棉布`)),
]

const GROUP_OF = new Map([...GROUPS, ...APPEARANCE].flatMap((one) =>
  one.names.map((name): [string, Group] => [name, one])))
export const GROUP_NAMES = phrases(GROUP_OF.keys())

export const groupOf = (name: string): Group | undefined => GROUP_OF.get(name)

const DENIAL = new RegExp(`^(?:${DENYING.toSorted((one, other) => other.length - one.length)
  .join('|')})(.+)$|^(?:no|non|without|zero)[- ](.+)$|^(.+)[- ](?:free|less)$`)

/** The group whose absence a word claims: 无糖, sugar-free, 不含谷物. */
export function deniedGroup(word: string): Group | undefined {
  const [, han, before, after] = DENIAL.exec(word) ?? []
  return groupOf(han ?? before ?? after ?? '')
    ?? GROUPS.find(({ denials }) => denials.includes(word))
}

/** Ways to say one feature; a wish in one of them is met by a title in another. All folded. */
const GROUPS = `静音|低噪|低音|轻音|quiet|silent|低分贝
|防水|waterproof|water resistant|water-resistant|ipx|ip67|ip68
|降噪|主动降噪|anc|noise cancelling|noise canceling|noise-cancelling|noise-canceling
|无线|蓝牙|wireless|bluetooth|cordless|2.4g
|有线|wired
|折叠|可折叠|折合|foldable|folding|collapsible
|便携|轻便|随身|portable|lightweight|轻巧
|充电|充电式|可充电|rechargeable|usb充
|不粘|不粘锅|non-stick|nonstick
|防滑|non-slip|anti-slip|止滑
|透气|breathable|网面
|保温|insulated|vacuum insulated|真空
|快充|fast charging|闪充|超级快充
|磁吸|magnetic|magsafe
|机械|mechanical
|人体工学|ergonomic|护腰
|有机|organic
|无糖|0糖|零糖|sugar free|sugar-free|unsweetened|不加糖|无添加糖|代糖
|低糖|少糖|减糖
|低脂|0脂|零脂|low fat|low-fat|脱脂
|无香|无香精|无香料|fragrance free|fragrance-free|unscented|无味
|一次性|disposable
|可重复使用|reusable|重复使用
|加厚|厚|thick
|超薄|轻薄|薄|thin|slim
|短袖|short sleeve
|长袖|long sleeve
|大容量|大号|大包|large|加大
|小容量|小号|迷你|mini|small|小巧
|吸管|straw
|盖子|带盖|有盖|lid|杯盖|盖
|提手|手柄|手提|handle
|头戴式|头戴|over-ear|over ear|on-ear|包耳
|入耳式|入耳|in-ear|in ear
|自动|全自动|automatic
|智能|smart|app控制|app操控
|背光|backlit|rgb
|儿童|儿童款|宝宝|kids|kids'|children|小孩|幼儿
|男|男士|男款|男式|男生|男性|men's|men
|女|女士|女款|女式|女生|女性|women's|women
|情侣|情侣款|couple
|老人|老年|长辈|seniors|elderly|老年人
|学生|学生党|宿舍|students|student
|辣|微辣|香辣|麻辣|spicy
|油皮|油性|控油|oily skin
|干皮|干性|补水|保湿|dry skin
|敏感肌|敏感皮肤|敏感肌可用|温和|sensitive skin
|露营|户外|camping|outdoor|outdoors
|野餐|picnic
|钓鱼|垂钓|fishing|angling
|徒步|登山|爬山|hiking|trekking|mountaineering
|海边|沙滩|海滩|beach|seaside
|宿舍|寝室|dorm|dormitory
|厨房|kitchen|做饭|cooking
|卧室|bedroom
|游泳|swimming
|瑜伽|yoga
|烘焙|baking|做蛋糕
|睡眠|睡觉|助眠|sleep|sleeping
|骑行|自行车|cycling|biking
|滑雪|skiing
|园艺|gardening
|聚会|派对|party
|婚礼|结婚|wedding
|打扫|清洁|cleaning
|车载|车内|car
|办公|办公室|商务|office
|旅行|出差|旅游|travel|差旅
|家用|家庭|居家|home|home use
|跑步|运动|健身|running|gym|sports
|礼盒|礼盒装|送礼|gift box`

/** Who is the one is not the other. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['无线', '有线'], ['头戴式', '入耳式'], ['短袖', '长袖'], ['超薄', '加厚'], ['男', '女'],
  ['一次性', '可重复使用'], ['大容量', '小容量'],
]

const groups = GROUPS.split('\n').map((line) => line.split('|').filter((word) => word !== ''))
const byWord = new Map(groups.flatMap((group) => group.map((word) => [word, group] as const)))

export const synonymsOf = (word: string): readonly string[] => byWord.get(word) ?? [word]

export const oppositesOf = (word: string): readonly string[] => {
  const group = byWord.get(word)
  return OPPOSITES.flatMap(([one, other]) => group?.includes(one) ? synonymsOf(other)
    : group?.includes(other) ? synonymsOf(one) : [])
}

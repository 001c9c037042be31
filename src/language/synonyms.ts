import { phrases } from './read/phrases.ts'

/** Ways to say one feature; a wish in one of them is met by a title in another. All folded. */
const GROUPS = `记忆棉|慢回弹|memory foam
乳胶|latex
棕垫|椰棕|coir
不粘|不沾|non stick|non-stick|nonstick
牛皮|真皮|头层牛皮|皮革|leather|genuine leather
pu革|pu皮|faux leather|vegan leather
竹|竹制|竹木|bamboo
实木|原木|木质|木制|橡木|胡桃木|松木|wood|wooden|solid wood|oak|walnut
不锈钢|304不锈钢|316不锈钢|stainless steel|stainless|steel
陶瓷|ceramic|骨瓷|porcelain
玻璃|高硼硅|glass
硅胶|silicone
铸铁|cast iron
碳板|碳纤维板|carbon plate|carbon plated
碳纤维|carbon fiber|carbon fibre
铁罐|罐装|听装|tin|tins|canned|cans
袋装|bag|bags|pouch
瓶装|bottled|bottle
散装|loose leaf|loose
盒装|礼盒|boxed|box
波尔多|bordeaux
巴罗萨|barossa
勃艮第|burgundy
阿拉比卡|arabica
深烘|dark roast
浅烘|light roast
中烘|medium roast
低因|脱因|无咖啡因|decaf|decaffeinated|caffeine free
电动升降|升降|可升降|height adjustable|standing desk|standing|sit-stand
可折叠|折叠|秒收|foldable|folding|folds|folds up|fold up|collapsible
控油|油性|去油|oily|oily hair|oily skin|oil control
去屑|止痒|dandruff|anti-dandruff|anti dandruff
修护|修复|受损|damaged hair|repair|damaged
防脱|固发|hair loss|anti hair loss
美白|亮白|whitening|brightening
补水|保湿|滋润|hydrating|moisturizing|moisturising|moisturizer
抗皱|紧致|淡纹|anti aging|anti-aging|anti ageing|wrinkle|wrinkles
祛痘|痘肌|acne
敏感肌|舒缓|温和|sensitive|sensitive skin
干皮|干性|dry skin|dry hair
幼犬|puppy|puppies
成犬|adult dog
老年犬|senior dog
小型犬|small breed|small dog|small dogs
大型犬|large breed|large dog|big dog|large size
幼猫|kitten|kittens
成猫|adult cat
主动降噪|anc|noise cancelling|noise canceling|noise-cancelling|noise cancellation
头戴式|over ear|over-ear|on ear
薄荷|mint|peppermint
柠檬|lemon
草莓|strawberry
巧克力|可可|chocolate|cocoa
香草|vanilla
抹茶|matcha
原味|plain|original|unflavored|unflavoured
番茄|tomato
芝士|奶酪|cheese
三文鱼|salmon
鸡肉|chicken
牛肉|beef
羊肉|lamb|mutton
虾仁|鲜虾|shrimp|prawn
薰衣草|lavender
玫瑰|rose
茉莉|jasmine
樱花|sakura|cherry blossom
桂花|osmanthus
海盐|sea salt
辣|香辣|麻辣|spicy|hot and spicy
微辣|mild
甜味|sweet
全麦|whole wheat|wholemeal|wholegrain
燕麦|oat|oats|oatmeal
无麸质|gluten free|gluten-free
脱脂|skim|skimmed|fat free|fat-free|nonfat
全脂|whole milk|full cream
纯棉|全棉|100%棉|cotton|100% cotton
亚麻|棉麻|linen
羊毛|wool|woollen
羊绒|cashmere
真丝|桑蚕丝|蚕丝|silk
羽绒|鸭绒|鹅绒|down
法兰绒|珊瑚绒|fleece|flannel
牛仔|denim
帆布|canvas
修身|slim fit|slim|skinny
宽松|oversized|loose fit|baggy|relaxed fit
直筒|straight leg|straight
阔腿|wide leg
高腰|high waist|high waisted|high rise
长款|long
短款|短版|cropped|short
连帽|hooded|with a hood
拉链|zip|zipper|zip up
条纹|striped|stripes
格子|格纹|plaid|checked|checkered|tartan
碎花|印花|floral|flower print
纯色|solid color|solid colour
圆领|crew neck|round neck
v领|v neck|v-neck
男女同款|unisex
厚底|platform|chunky
加绒|fleece lined|fleece-lined
防泼水|防水|water repellent|water-repellent
遮光|全遮光|blackout|black out
暖光|暖白|暖黄|warm white|warm light
白光|cool white|daylight
可调光|dimmable
感应|motion sensor|sensor
可充电|rechargeable
电池款|battery powered|battery operated
太阳能|solar|solar powered
静音|quiet|silent|noiseless
双人|two person|2 person|for two|double
单人|single|one person
四人|four person|4 person
儿童锁|child lock
蓝牙|bluetooth
机械|mechanical
全尺寸|full size
铝合金|铝|aluminum|aluminium
收纳袋|carry bag|storage bag
静音|低噪|低音|轻音|quiet|silent|低分贝
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

/** A word of several groups has the words of all, and theirs have only their own. */
const byWord = new Map<string, Set<string>>()
for (const line of GROUPS.split('\n')) {
  const words = line.split('|').filter((word) => word !== '')
  for (const word of words) byWord.set(word, new Set([...byWord.get(word) ?? [], ...words]))
}

const FEATURES = phrases([...byWord.keys()].filter((word) => word.length > 1))

export const synonymsOf = (word: string): readonly string[] => [...byWord.get(word) ?? [word]]

export const oppositesOf = (word: string): readonly string[] => {
  const group = byWord.get(word)
  return OPPOSITES.flatMap(([one, other]) => group?.has(one) ? synonymsOf(other)
    : group?.has(other) ? synonymsOf(one) : [])
}

/** Ways to say a feature that stand in a text. */
export const featuresIn = (text: string): string[] =>
  FEATURES.find(text).map(({ phrase }) => phrase)

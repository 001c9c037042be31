import { phrases } from './read/phrases.ts'

/** Ways to say one feature; a wish in one of them is met by a title in another. All folded. */
const GROUPS = `控油|油性|油皮|去油|oily|oily hair|oily skin|oil control
去屑|止痒|dandruff|anti-dandruff|anti dandruff
修护|修复|受损|damaged hair|damaged|repair
防脱|固发|hair loss|anti hair loss
美白|亮白|whitening|brightening
补水|保湿|滋润|hydrating|moisturizing|moisturising|moisturizer
抗皱|紧致|淡纹|anti aging|anti-aging|anti ageing|wrinkle|wrinkles
祛痘|痘肌|acne
敏感肌|敏感皮肤|舒缓|sensitive|sensitive skin
干皮|干性|dry skin|dry hair
阿拉比卡|arabica
挪威|norway|norwegian
智利|chile|chilean
意大利|意式|italy|italian
法国|法式|france|french
西班牙|spain|spanish
日本|日式|japan|japanese
韩国|韩式|korea|korean
美国|美式|america|american
德国|德式|germany|german
英国|英式|british|england
澳大利亚|澳洲|澳|australia|australian
新西兰|new zealand
泰国|泰式|thailand|thai
巴西|brazil|brazilian
哥伦比亚|colombia|colombian
埃塞俄比亚|ethiopia|ethiopian
云南|yunnan
内蒙古|内蒙|inner mongolia
记忆棉|慢回弹|memory foam
乳胶|latex
不粘|不沾|non stick|non-stick|nonstick
硅胶|silicone
碳纤维|carbon fiber|carbon fibre
散装|loose leaf|loose
低因|脱因|无咖啡因|decaf|decaffeinated|caffeine free
主动降噪|anc|noise cancelling|noise canceling|noise-cancelling|noise cancellation
头戴式|over ear|over-ear|on ear
薄荷|mint|peppermint
辣|香辣|麻辣|spicy|hot and spicy
微辣|mild
无麸质|gluten free|gluten-free
长款|long
短款|短版|cropped|short
纯色|solid color|solid colour
男女同款|unisex
加绒|fleece lined|fleece-lined
防泼水|water repellent|water-repellent|防溅
可调光|dimmable
感应|motion sensor|sensor
可充电|rechargeable
电池款|battery powered|battery operated
太阳能|solar|solar powered
蓝牙|bluetooth
机械|mechanical
防水|waterproof|water resistant|water-resistant|ipx|ip67|ip68
降噪|主动降噪|anc|noise cancelling|noise canceling|noise-cancelling|noise-canceling
无线|蓝牙|wireless|bluetooth|cordless|2.4g
有线|wired
便携|轻便|随身|portable|lightweight|轻巧
充电|充电式|可充电|rechargeable|usb充
不粘|不粘锅|non-stick|nonstick
保温|insulated|vacuum insulated|真空
快充|fast charging|闪充|超级快充
磁吸|magnetic|magsafe
人体工学|ergonomic|护腰
有机|organic
无糖|0糖|零糖|sugar free|sugar-free|unsweetened|不加糖|无添加糖|代糖
低糖|少糖|减糖
低脂|0脂|零脂|low fat|low-fat|脱脂
无香|无香精|无香料|fragrance free|fragrance-free|unscented|无味
一次性|disposable
可重复使用|reusable|重复使用
加厚|厚|thick
超薄|轻薄|薄|thin|slim
短袖|short sleeve
长袖|long sleeve
小容量|小号|迷你|mini|small|小巧
吸管|straw
盖子|带盖|有盖|lid|杯盖|盖
提手|手柄|手提|handle
头戴式|头戴|over-ear|over ear|on-ear|包耳
入耳式|入耳|in-ear|in ear
自动|全自动|automatic
智能|smart|app控制|app操控
背光|backlit|rgb
儿童|儿童款|宝宝|kids|kids'|children|小孩|幼儿
男|男士|男款|男式|男生|男性|men's|men
女|女士|女款|女式|女生|女性|women's|women
情侣|情侣款|couple
老人|老年|长辈|seniors|elderly|老年人
学生|学生党|宿舍|students|student
辣|微辣|香辣|麻辣|spicy
露营|户外|camping|outdoor|outdoors
野餐|picnic
钓鱼|垂钓|fishing|angling
徒步|登山|爬山|hiking|trekking|mountaineering
海边|沙滩|海滩|beach|seaside
宿舍|寝室|dorm|dormitory
厨房|kitchen|做饭|cooking
卧室|bedroom
游泳|swimming
瑜伽|yoga
烘焙|baking|做蛋糕
睡眠|睡觉|助眠|sleep|sleeping
骑行|自行车|cycling|biking
滑雪|skiing
园艺|gardening
聚会|派对|party
婚礼|结婚|wedding
打扫|清洁|cleaning
车载|车内|car
办公|办公室|商务|office
旅行|出差|旅游|travel|差旅
家用|家庭|居家|home|home use
跑步|运动|健身|running|gym|sports
礼盒|礼盒装|送礼|gift box
静音|安静|安静点|小声|小声点|低噪|低噪音|轻音|消音|无声|降噪静音|不吵|不吵人|没声音|没噪音|声音小|低分贝|quiet|silent|noiseless|silence
轻便|轻量|轻巧|轻盈|轻薄|轻质|轻一点|轻点|轻些|不重|超轻|lightweight|light weight|ultralight
耐用|结实|耐磨|抗摔|耐摔|加固|牢固|不易坏|不易断|耐穿|耐造|经用|皮实|durable|sturdy|tough|heavy duty|heavy-duty
可机洗|机洗|可水洗|水洗|可拆洗|拆洗|能洗|可以洗|可洗|washable|machine washable|machine-washable
易清洗|好清洗|好洗|好清理|易清洁|好清洁|一键清洗|自动清洗|易冲洗|一冲即净|好打理|易打理|可拆洗|可水洗|易擦洗|easy to clean|easy clean
防滑|不打滑|不滑|止滑|抓地|non-slip|non slip|anti-slip|nonslip|anti slip|slip resistant|grippy
不掉屑|少掉屑|不易掉屑|不掉渣|不掉纸屑
不掉毛|不易掉毛|不掉绒|lint free|no shedding
不掉色|不易掉色|不褪色|不易褪色|不串色|colourfast|colorfast|fade resistant
不起球|不易起球|抗起球|no pilling
不变形|不易变形|不走样|挺括
不伤发|不伤头发|护发
不卡粉|服帖|不浮粉
不勒|不勒肉|不紧绷|无痕|无感
热敷|heated
透气|不闷|不闷汗|不捂脚|不捂|不闷热|透风|网面|breathable|airy
保暖|暖和|暖和点|厚实|加绒|warm|thermal
柔软|软一点|软和|软糯|亲肤|soft
显瘦|显高|遮肚|遮肉|修饰身材|slimming|flattering
好收纳|折叠|可折叠|能折叠|折起来|收起来|能收起来|秒收|不占地|不占地方|foldable|folding|folds|folds up|collapsible
省电|节能|低能耗|低功耗|energy saving|energy efficient
大容量|能装|装得多|超大容量|large capacity|roomy
防漏|不漏|密封不漏|不漏水|不漏汤|防洒|leakproof|leak-proof|leak proof|spill proof
不刺激|温和|不辣眼|gentle|mild
不油腻|清爽|不黏腻|不粘腻|non greasy|non-greasy|lightweight texture
好闻|留香|持久留香|清香
不易坏|耐摔
防摔|抗摔|耐摔|shockproof|drop proof
速干|快干|quick dry|quick-dry|fast drying
防晒|遮阳|sun protection|uv protection
易安装|好安装|安装简单|免安装|装配简单|easy to install|easy to assemble
操作简单|一键操作|简单好用|easy to use
省力|不费力|不费劲|轻松|effortless
护眼|不伤眼|无频闪|无可视频闪|低蓝光|eye care|flicker free
长续航|续航长|电池耐用|超长续航|long battery life|long lasting battery
新手|初学者|入门|新手友好|beginner|beginners|for beginners`

/** Who is the one is not the other. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['无线', '有线'], ['头戴式', '入耳式'], ['短袖', '长袖'], ['超薄', '加厚'], ['男', '女'],
  ['一次性', '可重复使用'], ['大容量', '小容量'],
]

/** Each group by itself: what is another word for one of its words. */
export const SAME_EVERYWHERE: readonly (readonly string[])[] = GROUPS.split('\n')
  .map((line) => line.split('|').filter((word) => word !== ''))

/** A word of several groups has the words of all, and theirs have only their own. */
const byWord = new Map<string, Set<string>>()
for (const line of GROUPS.split('\n')) {
  const words = line.split('|').filter((word) => word !== '')
  for (const word of words) byWord.set(word, new Set([...byWord.get(word) ?? [], ...words]))
}

/** What is more does as well: 防水 for who asks for 防泼水, and not the other way round. */
const MORE: readonly (readonly [asked: string, more: string])[] = [
  ['防泼水', '防水'], ['water repellent', '防水'], ['低糖', '无糖'], ['少糖', '无糖'],
]
for (const [asked, more] of MORE) {
  for (const word of byWord.get(more) ?? []) byWord.get(asked)?.add(word)
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

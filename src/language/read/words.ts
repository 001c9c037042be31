/** Word lists, all folded: lower case, simplified. What goods are called is in the taxonomy. */
import type { Mode } from '../understanding.ts'

/** Words as they stand in a text, parted by bars and lines. */
export const list = (text: string): string[] => text.split(/[\n|]/).map((word) => word.trim())
  .filter((word) => word !== '')

export const MODES: Readonly<Record<Mode, readonly string[]>> = {
  cheapest: list(`最便宜|最不贵|便宜点|便宜一点|便宜些|便宜的|便宜|最低价|低价|价格最低|价格低|最省钱|省钱|平价|廉价|白菜价|越便宜越好
    |最亲民|价格亲民|最贱|最划算的价|捡便宜的|挑便宜的
    |拣便宜的|最少的钱|花钱最少
    |价廉|cheapest|cheap|cheaper|lowest price|lowest-price|lowest|最低|low price|inexpensive
    |价格越低越好|价钱越低越好|越低越好|越省钱越好|越省越好|最低价格|最低价钱|全网最低价|全网最低|最平|最廉价|价最低
    |价格最便宜|价格从低到高|价格由低到高|按价格从低到高|按价格由低到高
    |从低到高排|由低到高排|价格从低到高排|价格由低到高排|能多便宜就多便宜|怎么便宜怎么来
    |low cost|low-cost|least expensive|budget-friendly|lowest priced|lowest-priced
    |as cheap as possible|cheapest first|lowest price first|price low to high
    |sorted by price low to high|sorted by price, low to high|by price low to high
    |cheaper the better|the cheaper the better
    |most affordable|rock-bottom price|rock bottom price|for as little money as possible
    |as little money as possible|dirt cheap|dirt-cheap|cheapo|least costly|lowest cost
    |most economical|bargain-basement|lowest in price|easiest on the wallet`),
  quality: list(`评分最高|评分最好|评价最好|评分高的|评分高|评价高的|评价高|评价最高
    |口碑最好|口碑好|口碑|评价最好|评价好|好评最多|好评多|最受欢迎|销量最好|销量最高|销量好|销量高|卖得最好|卖得好|大品牌
    |知名品牌
    |best rated|best-rated|top rated|top-rated|highest rated|best selling|best-selling|bestseller
    |most popular|best reviewed|well reviewed
    |质量最好|质量好|质量好点|质量好一点|质量要好|质量过硬|质量|品质好|品质|高品质|高质量|高端|旗舰|旗舰级|旗舰款|顶配|顶级
    |最好的|最好|好一点的|好点的|好一点|耐用|耐用的|不差钱|好用|做工好|上档次|高档|best quality|good quality|high quality
    |high-quality|top quality|highest quality|quality|high-end|high end|premium|flagship
    |top of the line|top-of-the-line|最贵|最贵的|最贵那款|most expensive|priciest|dearest
    |best|luxury|durable`),
  value: list(`性价比|性价比高|性价比高的|性价比最高|高性价比|划算|划算的|实惠|实惠的|物美价廉|物超所值|超值|值得买|不贵|不要太贵|不要太贵的
    |别太贵|别太贵的|不太贵|价格合适|价格合理|便宜又好|便宜好用|good value|best value|great value|value for money
    |bang for the buck
    |bang for my buck|worth it|affordable|reasonable|reasonably priced|not too expensive
    |not expensive|cost-effective
    |cost effective`),
}
/** Said of a mode that is not wished. */
export const NOT_BEFORE_MODE = new RegExp(
  String.raw`(?:不要|别|不求|不用|不需要|不一定要?|无所谓|不必|not|no|don't need(?: the)?|`
  + String.raw`not necessarily) ?(?:太|最|the )?$|(?:太|(?<![a-z])too )$|(?<![a-z])(?:was|were) $`)

/** 旗舰店 is a shop, 质量问题 no wish. */
export const NOT_AFTER_MODE = /^(?:店|问题|检测|保证|管理|轻|watch|得)/
/** 便宜的我不敢用, 便宜货不要: what is told of goods that are not wished. */
export const SCORNED_MODE = new RegExp('^(?:的|货)?[^ ,;。]{0,8}?(?:不敢|不想|[都就]不[行要]|怕|信不过|不放心|不耐用'
  + '|不结实|没用几|老坏|容易坏|不要(?!太)|不考虑|不看|别[给推来拿看发]|免谈|拉倒|算了|靠边)[^ ,;.。]{0,4}'
  + '|^(?: ones?| stuff| junk| rubbish)? (?:always|never|keeps?|breaks?|broke|fell|falls?'
  + '|is out|are out|do(?:es)?(?: not|n.t))')

export const OCCASIONS = list(`双十一|双十二|双11|双12|618|六一八|六一|五一|十一|国庆|中秋|中秋节|春节|过年|年货|元旦|情人节|七夕|圣诞
    |圣诞节|母亲节
    |父亲节|教师节|儿童节|三八节|妇女节|端午|端午节|生日|结婚|婚礼|乔迁|满月|毕业|开学|周年|纪念日|礼物|送礼|送人|双旦|黑五|520|年会
    |生日礼物|新年|christmas|birthday|valentine's day|valentines day|mother's day|father's day
    |new year|anniversary
    |graduation|wedding|gift|gifts|present|presents|black friday`)
export const PROMOTIONS = list(`包邮|有优惠券|优惠券|有券|领券|用券|券后|大额券|优惠|打折|折扣|特价|秒杀|促销|活动|免运费|免邮|百亿补贴|红包
    |free shipping|on sale|discount|discounted|coupon|coupons|with coupon|deal|deals`)

/** Of no meaning for the goods. Words of one character only as the segmenter cuts them. */
export const FILLERS = list(`能不能|可不可以|可以不可以|会不会|买到|买得到|卖吗|有卖吗|卖么
    |行不行|用户|用户想要|用户需要|请求|要准备点啥|准备点啥|准备些啥|准备点什么|带点什么|带些什么|带点啥|带些啥|带什么|带啥
    |装个|装一个|换一个|换一台|那个|娃|老是|马上|牌子的|多少|怎么卖|什么价|几块钱|哪里买|在哪买|怎么办|清单|有啥|有哪些|都有啥
    |用户说|有货|有货吗|卖不卖|全店|店里|店内|先来|缺个|来口|啥样|哪根
    |帮忙看看|你好|您好|亲|在吗|哈喽|就是|那种的|我|我们|咱|俺|你|您|他|她|它|想|想要|想买|想找|想入手|要|要买|买|买个|买点|购买|购入|入手|选|选购|挑|挑个|挑选
    |求|求推荐|排行榜|排名|推荐|推荐一下
    |推荐个|推荐款|能订吗|能订不|可以订吗|能预订吗|能买吗|可以买吗
    |有|没|没有|有没有|有木有|吗|嘛|呢|吧|啊|呀|哦|哈|的|了|着|过|得|地|个|款|一款|一种|一些|些|一点|一下|几个|几款|几种|那种|这种|这个|那个
    |什么|什么样|啥|哪个|哪款|哪种|哪些|怎么|怎么样|怎样|请|请问|麻烦|谢谢|多谢|帮|帮我|帮忙|帮我找|帮我选|帮忙找|找|找个|找找|看看|看|给|给我|送|送给|用
    |用的|使用
    |最近|准备|打算|需要|可以|能|会|和|与|或|或者|及|跟|还有|以及|并且|而且|也|都|就|就行|就好|即可|还|再|又|是|是不是|很|比较|最|非常|特别|真的|超级|超
    |稍微|尽量|最好是|最好|喜欢|喜歡|再来|再要|再加|刚要|要么|两样|三样
    |为|为了|对|把|被|在|从|到|于|但|但是|不过|然后|如果|因为|所以|那|这|来|来个|来点|整|整个|弄|弄个|下单|囤货|囤|囤点|急|急用|在线等|靠谱|靠谱的|预算
    |价格|价位|价钱|钱|元|块
    |左右|之间|以内|以下|适合|合适|大概|应该|要求|希望|求助|新手|品牌|牌子|大牌|正品|官方|旗舰店|自营|新款|热销|爆款|网红|好看|好吃|好喝|漂亮|颜值|颜值高|颜值高的
    |好|好的|高|点|性价比|家里|家里人|我家|够|够不够|各买|各要|各来
    |我要|无所谓|没关系|没事|贵|贵一点|贵点|晚上|中午|早上|今天|明天|今晚|有推荐|有推荐的|推荐的|有推荐的吗|求个
    |要个|本来|原来|现在|现|目前|能用就行|能用|就行|主要|平时|日常|随便|不限|都行|东西|商品|产品|货|宝贝|穿|戴|喝|吃|玩|放|装|换|换个|新|上|里|中|时|时候
    |上的|里的
    |第一次|优先|可用|可以用|能用的|如何|哪里|几|多|更
    |i|i'm|i'd|i've|im|we|you|want|wants|wanna|would|like|a|an|the|to|buy|buying|get|getting
    |purchase|order|some|any|for|me|my|please|pls
    |of|need|needs|looking|look|find|search|show|give|recommend|recommendation|recommendations
    |suggest|with|and|or|is|are
    |be|am|it|its|that|this|these|those|there|in|on|at|by|from|about|around|can|could|spend
    |spending|should|do
    |does|have|has|help
    |thanks|thank|hi|hello|hey|something|anything|thing|things|one|ones|good|nice|great|very
    |really|just|also|but|what|which|who
    |where|how|much|many|so|if|will|which|prefer|preferably|ideally|maybe|price|prices|budget
    |yuan|rmb|cny|kind|type|use|all|both|work|works
    |like|likes|love|loves|enjoys|she|he|him|they|them
    |used|using|new|not|too|as|go|go-to|your|our|his|her|their|made|make|should|must|each|up|out
    |item|items|product
    |products|brand|brands|cute|pretty|beautiful|than|more|less|only|ok|okay|anyone`)

/** 用 and 穿 end a clause about whom it is for; what stands before is no goods. */
export const SCENES = list(`家用
  |落雨天|宿舍|寝室|学生|学生党|办公室|办公|上班|上班族|通勤|户外|露营|旅行|旅游|出差|车载|车上|车用|家庭|卧室|厨房用|租房
    |出租屋|厨房
    |运动|跑步|健身|骑行|登山|爬山|徒步|钓鱼|游泳|瑜伽|夏天|夏季|冬天|冬季|春秋|秋冬|春夏|商务|游戏|打游戏|直播|上网课|网课|考研|学习|写作业|看电视|看书|追剧
    |婴儿|宝宝|儿童|小学生|中学生|大学生|孕妇|老人|老年人|成人|油皮|干皮|敏感肌|敏感皮肤|混油皮|一家三口|一家四口|两口之家|三口之家|四口之家|单身|一人食|一个人
    |两个人|三个人|四个人
    |小户型|大户型|新手|初学者|入门|专业|日常|约会|聚会|早餐|睡觉|午睡|冲奶|泡茶|泡咖啡|煮面|煮粥|猫|狗|幼猫|幼犬|大型犬|小型犬
    |home|home use|home office|office|travel|travelling|traveling|outdoor|outdoors|camping|gym
    |work|school|college|dorm|students|student|kids|children|beginner
    |beginners|running|hiking|commuting|gaming|summer|winter|dry skin|oily skin|sensitive skin
    |small apartment|small apartments
    |kitchen|bedroom|car|toddlers|toddler|adults|women|men|elderly|seniors|everyday use|daily use`)

export const MEALS = list(`外卖|点外卖|点个外卖|叫外卖|叫个外卖|外卖红包|外卖券|外卖优惠券|点餐|订餐|送餐|外送|点单
    |霸王餐|堂食|到店吃|满减外卖|骑手|饿了|想吃饭|吃什么|吃啥|吃点什么|吃点啥|喝什么|喝啥|吃午饭|吃晚饭|吃夜宵|吃早饭|夜宵|宵夜
    |下馆子|吃顿好的|吃顿大餐|吃大餐|吃顿饭|撮一顿|搓一顿|dine out|eat out|eating out
    |food delivery|meal delivery|delivery food
    |takeaway|takeout|take-out|take away|order food|order lunch|order dinner|food coupon
    |food coupons
    |hungry|order in|delivered for lunch|lunch delivered|dinner delivered|food delivered`)
/** With a dish, these mean that it is to be brought. */
export const DELIVERY = new RegExp('送到|送[来过]|送上门|外送|(?:能|可以|给)(?:马上|现在)?送(?=[吗不么嘛]|$)'
  + '|送[一两三]?[杯份碗](?!礼)|[点叫](?=[个杯份碗一两])|来[一两三]?[杯份碗]|现做|现煮|附近|今[晚天]吃'
  + '|[中晚早]上?午?吃|(?<!不)想[吃喝]|deliver(?:y|ed)?|order|near me|to eat|to go(?![a-z])')
/** 外卖箱 is a box, 午餐盒 too. */
export const NOT_MEAL_AFTER =
  new RegExp('^(?:底料|蘸料|食材|丸子|券包|员|箱|盒|包|袋|头盔|衣|服|车|保温|粉|机|杯|壶|豆|肉|奶(?!茶)|锅|盘|刀|石|架|桌|垫|模具'
    + '|液|饼干|餐具|围|桶|炉'
    + '|打包|勺|碗|筷|师|打印|专用| ?(?:box|bag|maker|machine|bean|mug|cup|powder|pan|stone|'
  + 'container|table|grill|base|seasoning|dough|mix))')

/** Brands that shoppers name wherever they shop: all names of one are parted by a space. */
export const KNOWN_BRANDS = list(`苹果 apple|华为 huawei|小米 xiaomi|红米 redmi|荣耀 honor|三星 samsung
    |一加 oneplus
    |索尼 sony|松下 panasonic|飞利浦 philips|戴森 dyson|联想 lenovo|戴尔 dell|惠普 hp|华硕 asus
    |罗技 logitech|安克 anker|绿联 ugreen|倍思 baseus|耐克 nike|阿迪达斯 adidas|阿迪 adidas
    |李宁 lining|安踏 anta|优衣库 uniqlo|匡威 converse|新百伦 newbalance|斯凯奇 skechers
    |雀巢 nestle|星巴克 starbucks|乐高 lego|膳魔师 thermos|象印 zojirushi|宜家 ikea
    |无印良品 muji|任天堂 nintendo|佳能 canon|尼康 nikon|雷蛇 razer|漫步者 edifier|美的 midea
    |海尔 haier|九阳 joyoung|苏泊尔 supor|维达 vinda|好奇 huggies|帮宝适 pampers|博朗 braun
    |欧乐b oral-b|格力 gree|三只松鼠|良品铺子|百草味|蒙牛|伊利|三元|光明|飞鹤|美赞臣|爱他美|花王
    |雅诗兰黛|兰蔻|欧莱雅|玉兰油|茅台|五粮液|三顿半|瑞幸|虎牌|得力|晨光|七匹狼|十月稻田|六神
    |蓝月亮|立白|奥妙|清风|心相印|bose|puma|kindle|oppo|vivo|jbl|beats`).map((names) => names.split(' '))
/** Ends of names of goods that do not name these goods by themselves. */
export const NO_NOUN_WORDS = list(`配件|零件|工具|机器|设备|耗材|家用|男士|女士|神器|套装|组合|礼盒|原料|一体|套件|用品|书籍|零食|男|女|刀具
    |手动|自动|充电|护理|清洁|专用|加厚
    |系列|房子|轮子
    |一体机|仪器|器材|喷雾|单件|双拍|取暖|净化|启动|应急启动|吸尘|录像|录音|底座|快充|手册|指南|收纳|教程|消毒|烘干|煲汤|泡水|泡茶|监控|练习|英语|衣服|游戏
    |食品|饮品|早餐|问题|拼装|拼接|喂食|花香|机箱|电源|汽车|飞机|行车|之王|司令|故事|初学者|固态|面板|模型|路由|科普|百科|家用男士|血压家用|碗家用|用笔
    |用球|胶原|蛋白|保暖被|套餐|定制|落地|全套|整箱|混装|二合一|合一|监测|检测|修复|除味|除垢
    |材料|脖子|蓝牙|液体|颗粒|框架|气泡|泡泡|起泡|酿酒|养鱼|钓鱼|克星|热敷|漂白|调味|磨砂
    |按摩|户外|入门|宠物|别墅|丢器|臭剂|毛器|洗剂|礼包|水果礼盒|无线充电|餐具消毒
    |set|unit|cover|box|case|bag|kit|machine|holder|mount|tool|guide|book|pack|bar|mat|pad|light
    |film|paper|color|colour
    |drink|powder|oil|chain|base|wash|band|game|car|art|water|wear|na|acid|animal|ball|bank|basket
    |bin|block|board|boiler
    |brief|cam|can|canopy|card|cell|dock|drive|figure|food|fountain|frame|gel|glass|gun|head|hood
    |hook|hub|john|lead|leaf
    |litter|lock|maker|nest|net|patch|pole|record|riser|rod|roll|rope|scale|seat|seed|shadow|shake
    |sheet|shower|slice
    |slide|spirit|stand|station|stick|strip|stud|supplement|tile|treat|tree|tower|weight|rack|line
    |fruit|starter|spirits
    |snack|reader|history|stylu|slack|rouge|tint|it|on|adult|chinese|electric|fi|control
    |system|display
    |support|hanging|hiking|school|room|home|house|kitchen|yard|floor|body|leg|ear|feet|breast|tail
    |shoulder|tear|removal|care|aid|medical|oxygen|massage|live|raw|red|round|sum|cha|pop|kick|fresh
    |frozen|dried|bluetooth|hdmi|date|story|fiction|test|hair|loader|pet|mix|berry|foam|shuttle|ride
    |厨房|电动|单人|室内|办公|运动|保暖|旅行|车载|摩托|骑行|健身|游泳|文学|医生|训练|定位|防撞|折叠|手持|打印|乳胶|塑料|硅胶
    |甲醛|脑袋|大全|吃的|玫瑰|冻干|劳保|长袖|半袖|感应|转换|加湿`)

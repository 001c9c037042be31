/** What people ask for that no shop of goods has: services, tickets, rooms, strong medicine. */
const WORK = '(?:修|装|洗|疏通|打扫|搬|拆|开锁|贴砖|刷墙|粉刷|喂|遛|接送|做饭|看孩子|带孩子|带娃|按摩|上课|辅导|除虫|保洁)'
const WORKERS = '(?:保姆|月嫂|家教|律师|司机|电工|木工|瓦工|水电工|钟点工|护工|代驾|私教)'
const BY = `(?:师傅|人|工人|阿姨|老师|教练|${WORKERS})`
const ONE = '(?:一?[个位名张])?'

/** Somebody is to come and do it, or goods are to be mended, or lent. */
const DONE_FOR = [
  `[请找叫约雇]${ONE}${BY}[^;,.。!?]{0,6}${WORK}(?!要)`, `[找请雇招]${ONE}${WORKERS}`,
  `(?:约|叫|预约|找)${ONE}(?:一下)?(?:上门)?(?:维修|保洁|家政|搬家|代驾|疏通|安装师傅)`,
  '(?<!包|免费|支持|送货|含|能)上门(?:修|维修|换|清洗|保洁|开锁|疏通|收|回收)',
  '(?:想|要|帮我|给我|帮忙)(?:修一?下|修个|维修一下)',
  '(?:想|要|能|求|帮我|打算)[^;,.。!?有给]{0,4}租(?:一?[个套间辆台架]|房子|车|房(?=$|[,。]))',
  '(?<![^ ,;。])租(?:一?[个套间辆台架]|房 一)',
  '(?:想|要|给孩子|给娃)[报上]一?个[^;,.。!?]{0,6}[班课](?=$|[ ;,.。!?吗吧呢])',
  '做(?:个|一次|一下)(?:保养|体检|美甲|spa|按摩|头发)',
  `办${ONE}(?:信用卡|会员卡|年卡|签证|护照|贷款|银行卡|健身卡)`,
  '(?:健身房|游泳馆|瑜伽馆)的?(?:年卡|月卡|会员)',
  '[充交缴](?:点|个|一?下|\\d+块?钱?的?)*(?:话费|电费|水费|燃气费|网费|会员)',
  '(?<![a-z])(?:someone|somebody) to (?:fix|repair|clean|install|paint|move|teach|walk|watch'
  + '|look after)(?![a-z])',
  '(?<![a-z])(?:get|find|send|hire|book|need)(?: me)? an? (?:plumber|electrician|nanny|babysitter'
  + '|cleaner|lawyer|tutor|handyman|taxi|cab|hotel|room|flight|table)(?![a-z])',
  '挂(?:一?个)?(?:专家)?号(?=$|[ ,。!?吗])', '约(?:一?个)?(?:牙医|医生|体检|门诊)',
  '(?<![a-z])(?:book|make|schedule|get)(?: me)? an? (?:[a-z]+ ){0,2}appointment(?![a-z])',
  '(?<![a-z])(?:rent|lease) an? (?:flat|apartment|house|room|car)(?![a-z])',
  '(?<![a-z])(?:flat|apartment|house|room|car) (?:to|for) rent(?![a-z])',
]

/** 演唱会的票, 两张迪士尼门票. */
const TICKETS = [
  '(?:演唱会|音乐会|音乐节|话剧|舞台剧|脱口秀|相声|球赛|比赛|电影|展览|画展|漫展|景区|景点|乐园|迪士尼|动物园|环球影城'
  + '|高铁|火车|动车|飞机|大巴|轮船|地铁)[^;,.。!?]{0,6}?票(?![夹据包袋根箱])', '[机车船门]票(?![夹据包袋收根箱护])',
  '(?<![a-z])tickets? (?:to|for)(?![a-z])',
  '(?<![a-z])(?:concert|movie|train|plane|flight|theatre|theater|match|museum) tickets?(?![a-z])',
]

/** None of them lives here; those that are eaten alive are no pets. */
const ANIMAL = '(?:(?:布偶|英短|美短|暹罗|缅因|橘|金毛|泰迪|柯基|边牧|哈士奇|柴|萨摩耶|拉布拉多|比熊|博美|法斗|马)'
  + '[猫犬狗]?|猫咪?|狗狗?|犬|兔子?|仓鼠|鹦鹉|鸟|龙猫|松鼠|刺猬|狐狸|大?熊猫|猴子?|老虎|狮子|羊驼)'
const LATIN_ANIMAL = '(?:kitt(?:en|y)|puppy|cat|dog|hamster|parrot|rabbit|panda|tiger|lion|monkey'
  + '|snake|horse|pony)s?'

/** Nothing that a parcel brings, or that may be sold: 腾讯视频会员, 代写论文, 一条软中华. */
const NOT_DELIVERED = [
  '(?:腾讯|优酷|爱奇艺|芒果|哔哩哔哩|b站|网易云|qq音乐|百度网盘|京东|淘宝|视频|音乐|网盘|netflix|spotify)[^;,.。!?]{0,4}会员',
  '(?:q币|点券|点卡|充值卡|话费卡|流量卡|流量包|激活码|兑换码|游戏币|游戏账?号|礼品卡)(?!座|套)',
  '代(?:写|考(?!虑)|做作业|练|孕)|刷单|(?:假|办)(?:证|钞|币)|代开发票',
  '(?:买|投|上|办)(?:一?[份个点])?(?:车|医疗|人身|旅游|养老|意外)?(?:保险(?![柜箱丝杠])|彩票|股票|基金)|[张注]彩票',
  '(?:买|要|卖|弄)(?:一?[套栋间])?(?:房子|学区房|二手房|二手车|别墅)(?=$|[ ,.;。!?吗呢吧])|二手车(?=$|[有吗卖]|多少钱)',
  '(?<!打火机|烟灰缸)[软硬]中华|中华烟|[条包](?:香烟|烟)(?=$|[ ,.;。!?吗])|电子烟(?=$|[ ,.;。!?吗])',
  '[买卖](?:一?[把支])?(?:真)?枪(?=$|[ ,.;。!?吗])|毒品|大麻(?!籽)',
  '(?:买得?到?|卖不?卖?|有没有|有|来)(?:一?[个位名颗粒])?(?:后悔药|时光机|任意门|长生不老药|隐身衣|(?:女|男)朋友|对象|爱情)'
    + '(?=$|[不吗没呢卖哦啊了 ,.;。!?])',
  // Who works for somebody.
  '(?:买|租|雇|请|招)(?:一?[个位名])(?:护士|护工|保姆|月嫂|保镖|司机|厨师|家教|保洁|钟点工|育儿嫂)'
    + '(?=$|[来给帮替去照吗呢吧 ,.;。!?])',
  '(?:买|卖)(?:一?只|条)(?:活的)?[^;,.。!?的]{0,3}(?:猫咪?|小?狗狗?|兔子|仓鼠|鹦鹉|乌龟|金毛|泰迪|柯基|布偶|英短|边牧|哈士奇)'
    + '(?=$|[ ,.;。!?吗])|(?:宠物|猫|狗|犬)活体|活体(?:宠物|猫|狗)',
  `(?:领养|认养|收养)(?:一|两)?[只条个]?[^;,.。!?的了]{0,4}${ANIMAL}(?=$|[ ,.;。!?吗呢吧])`,
  `(?<![生灵鲜快复])活(?:的|体)?[大小幼]?${ANIMAL}(?=$|[ ,.;。!?吗呢吧])`,
  '(?<![a-z])(?:adopt (?:an? )?(?:[a-z]+ )?|(?:buy|sell)(?: me)? an? (?:live|real|living) )'
    + `${LATIN_ANIMAL}(?= *(?:please|$)|[,.!?])`,
  '(?<![a-z])(?:buy|sell)(?: me)? an? (?:kitten|puppy)(?= *(?:please|$)|[,.!?])',
  '(?<![a-z])(?:gift card|essay writing|lottery tickets?|(?:car|life|health|travel) insurance'
    + '|(?:buy|get|order|sell)(?: me)? an? (?:girlfriend|boyfriend|time machine)'
    + '|(?:packs?|cartons?) of cigarettes|(?:buy|sell|get)(?: some)? cigarettes)'
    + '(?= *(?:please|$)|[,.!?])',
]

/** Sold with a prescription only. */
const MEDICINES = [
  '阿莫西林|头孢|青霉素|红霉素片|罗红霉素|阿奇霉素|左氧氟沙星|诺氟沙星|甲硝唑片|奥司他韦|二甲双胍|胰岛素|阿托伐他汀|瑞舒伐他汀',
  '硝苯地平|氨氯地平|缬沙坦|厄贝沙坦|美托洛尔|安眠药|处方药|避孕药|伟哥|万艾可|西地那非|地塞米松|泼尼松|安定片|司美格鲁肽|抗生素|消炎药',
  '(?<![a-z])(?:amoxicillin|antibiotics?|penicillin|insulin|metformin|viagra|ozempic|sleeping pills'
  + '|prescription (?:drugs?|medicine))(?![a-z])',
]

/** Goods that go with it: 放门票的册子, 胰岛素冷藏盒. */
const GOODS = new RegExp('东西|用品|工具|用的|套装|[夹袋盒箱册]|包(?!括)|收纳|挂绳|冷藏|模型|玩具'
  + '|(?<![a-z])(?:holder|case|box|kit|tool|toy|game|frame|album|bag|organi[sz]er)(?![a-z])')
/** 吃完头孢, 打胰岛素, 票都订好了: told of, and not asked for. */
const TOLD = '(?<!(?:吃|打|服|用|喂)(?:完|了|着|过)?[^;,.。!?]{0,4}|(?:after|no|on) )'
const HAD = '(?![^;,.。!?]{0,8}(?:订|买|抢|有)(?:好|到|了)|在)'
const SERVICE = new RegExp([...DONE_FOR, ...NOT_DELIVERED,
  ...TICKETS.map((one) => `(?:${one})${HAD}`),
  `${TOLD}(?:${MEDICINES.join('|')})`].join('|'))

/** 两盒 and 来包软中华 are how much of it. */
const COUNTED = /(?:[一二两三四五六七八九十几]|\d{1,2})[盒袋箱包]|[来买要拿]包(?=[软硬]?中华)/g

/** Whether a service, a ticket, a room or such medicine is asked for, and no goods. */
export const asksForService = (text: string): boolean => SERVICE.test(text)
  && !GOODS.test(text.replace(COUNTED, ''))

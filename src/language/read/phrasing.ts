/** How people tell what they need without naming goods: questions, gifts, hobbies, politeness. */
import { remembered } from '../recent.ts'
import { cutKnown } from '../segment.ts'
import { list } from './words.ts'

const either = (words: readonly string[]): string => words.map((word) =>
  /^[a-z]/.test(word) ? `(?<![a-z])${word}(?![a-z])` : word).join('|')

/** They ask what to take. */
export const ASKING = new RegExp(either(list(`什么|啥|哪些|咋办|咋整|怎么|推荐|主意|有没有|有什么|准备|备点|需要|想要|合适|适合
    |受不了|难受|怎样|好用的|用的|缺|what|something|anything|things|stuff|ideas?|need|help|how`)))

/** Words of sentences; names of goods have none of them. */
export const TELLING = new RegExp('[了着过不没太总想怕会能把被得很又还吗呢吧给呗嘛咯]'
  + '|' + either(list('i|my|me|is|are|was|the|to|keeps?|when|after|at|all|too|so|can|for|with')))

/** How something is or goes wrong, again and again: no name of goods has such words. */
const TROUBLE = new RegExp('全是|都是|净是|老是|总是|半夜|夜里|天天|每天|整天|整晚|一晚上|到处|满屋|满地|满身|满手|满头|一股|得慌|震天|冰凉'
  + '|不了|下去|起来|老(?:是|有|会|爱|被|[蹬掉踢踹咬哭漏堵打吐流拉串驼劈磕闹响断坏熄卡黏粘踹摔丢忘痒疼酸麻])'
  + '|一\\p{Script=Han}{1,3}就|[越又]\\p{Script=Han}越', 'u')

/** Several kinds of goods are asked for. */
export const PLURAL = new RegExp(either(list(`哪些|带什么|带啥|备点|备些|要用的东西|要用到的
    |什么东西|要准备|准备什么|准备点|需要什么|啥都没|什么都没|要买点|要买啥|要买什么|要带|带点
    |清单|装备|设备|必备|乐子|解闷|缺啥|缺什么|准备啥|不知道|没意思
    |get (?:him|her|them) something|things|what do i need|what to bring|what to pack
    |essentials|gear|supplies|starting`)))

export const GIVING = new RegExp(either(list(`拎点|拿点
    |(?<!(?:[玩游营山步雪海训院学]|旅行|度假|出差)[^.。!?]{0,6})带点(?:什么|啥)
    |第一次上门|上门拜访|见面礼|意思一下|伴手礼|回礼|礼物|礼品|奖品|送礼|送个礼
    |随礼|抽奖|[一二三四]等奖|颁奖|留个?(?:小)?纪念|作?纪念品|小礼|心意|捎点|捎个|生日|纪念日|成人礼|大寿|过寿|寿礼|孝敬|送(?!货|到|上门|餐|过来|来|水|去)
    |gifts?|presents?|birthday|housewarming`)))

/** What somebody likes, by which a gift is chosen. */
export const HOBBY = new RegExp('(?:特别|很|就|最)?(?:喜欢上?|喜歡|爱好是?|热爱|迷上|痴迷于?|沉迷于?|着迷|热衷于?|钟爱|酷爱'
  + '|最近在学|(?<!可)爱(?!普生|仕达|玛|国者|他美|马仕|慕|莎|迪))'
  + '(?:上|好|听|看)?(?!人)'
  + '(?![了的])([^ ;,.。!?的了]{2,8})'
  + '|(?<![a-z])(?:(?:really |just )?(?:loves?|likes?|enjoys?)(?: to)?|(?:is |really |so )?into'
  + '|(?:crazy|mad|nuts|passionate|obsessed|enthusiastic) (?:about|with|for)'
  + '|hooked on|plays?|fond of)'
  + ' ([a-z]+(?: [a-z]+)?)'
  + '|([a-z]+) (?:lover|fan|enthusiast|addict|nerd|freak|buff|geek)(?![a-z])'
  + '|(?:是个|资深|老|是一?名?)?(?!我)(\\p{Script=Han}{2,4}?)(?:爱好者|发烧友|狂热者|狂魔|达人'
  + '|[控迷党](?=[ ,;。的]|$))', 'u')

/** Says nothing of the need. */
export const POLITE = new RegExp('^(?:(?:你好|您好|hello|hi|请问?|麻烦|帮我|给我|我?想要?|我要|有没有|买个?'
  + '|找个?|一下|please|find me)[ ,]*)+'
  + '|[ ,]*(?:谢谢|多谢|thanks|麻烦推荐一下)$|呗(?=[ ,;]|$)', 'g')

/** Asks for an answer, and says nothing of what the goods are for. */
export const CHATTER = new RegExp('(?:理由|原因|推荐语|解释|说明)?请?(?:都|麻烦)?用(?:中文|英文|英语|汉语)'
  + '(?:写|回答|回复|说明?|解释)?'
  + '|有没有(?:什么|那种|不是)?|有(?:什么)?推荐吗|推荐(?:一下|几款|几个|一款|个)?|多少钱(?:一[个只支瓶斤])?|怎么卖|怎么算'
  + '|给我找|帮我?(?:看看|找找?|挑挑?|选选?)|求(?:推荐|种草)|哪[款个种]'
  + '|(?:reasons?|answer|reply)s? (?:in|please)[a-z ]*|in english|please|recommend(?:ations?)?'
  + '|show me|find me', 'g')

/** What is said without politeness, and without the signs that it leaves at the end. */
export const withoutPoliteness = (text: string): string =>
  text.replace(POLITE, '').replace(/[ ,;\0]+$/, '')

const COUNTERS = '个份盆只条瓶盒包把件双本束株棵台套张块桶袋罐'
const ORDER = new RegExp('^(?:请|麻烦|给我|帮我|替我|我|咱|就|再|想|要|买|来|整|搞|弄|找|求|购)+'
  + `(?:一?[${COUNTERS}]|点|些|一下)?(?![${COUNTERS}点些]|东西|产品)(?=\\p{Script=Han}{2,4}$)`, 'u')

/** 有没有杜鹃, 卖杜鹃吗, 杜鹃有卖吗: whether there is any. */
const ASKED = new RegExp('^(?:请问|你们?|咱们?|店里|这里|家|还|都|也)*(?:有没有|有木有|卖不卖|有|卖)'
  + '(?=\\p{Script=Han}{2,6}$)|(?:有(?:没有|得?卖)?|卖)?(?:吗|么|嘛|不|没)?[?]*$', 'gu')

/** 给我来盆杜鹃 asks for no more than 杜鹃 names. */
export const withoutOrder = (text: string): string => {
  const said = text.trim()
  const ordered = said.replace(ORDER, '')
  return ordered === said ? said.replace(ASKED, '') : ordered
}

/** Goods are asked for, whatever they are for: 保洁用的东西. */
const GOODS = /东西|用品|工具|装备|物品|神器|(?<![a-z])(?:stuff|things|something|supplies|gear)(?![a-z])/

export const asksForUnsold = (text: string): boolean => UNSOLD.test(text) && !GOODS.test(text)

/** What people ask shops for that no shop of goods sells. */
const UNSOLD = new RegExp(either(list(`机票|车票|船票|门票|[影展]票|票务
    |(?<![住在去])(?:酒店|民宿|宾馆)(?![的里住洗不用式级])|订房|话费|流量包
    |电费|水费|燃气费|充值|点券|q币|会员卡
    |彩票|香烟|卖烟|买烟|卷烟|枪支|卖枪|保姆|月嫂|保洁|家政|钟点工|搬家公司|维修|上门修|二手|租房(?=$|[ ,;。信中平网])|房子(?!里)
    |股票|基金|贷款|签证|保险(?!箱|柜|杠|丝)|律师|家教
    |快递员|挂号|体检(?!说|报告|查|结果|发现|出|后|完|单|时)
    |驾校|驾照|服务中心|处方|代购|代驾|绝育|整车|二手|新车(?![上里用刚])|轿车(?![上里用])|出租(?![屋房])|活的|养[只条头匹]|牙科|号源|代写|外卖员|兼职|门诊
    |gift cards?|helicopter|rides?(?= over)
    |(?:plane|train|movie|concert|flight|bus) tickets?|tickets?|flights?
    |hotel|visa|insurance|cigarettes?|loan|repair service|lottery|recharge|top up`)))

/** Longer ones are sentences. */
const NAME_LENGTH_MAX = 30
/** Words of sentences that stand by themselves. */
const WORDS = new Set('了着过不没总想怕会能把被得很又还吗呢吧给我你他她它哪谁买要求弄整来个就都才再啊呀嘛哦')

/** Of the texts of one sentence. */
const RECENT_MAX = 8

/** Nothing is asked or told; what is said is a name. */
export const isBare = remembered(RECENT_MAX, (text) => text.length <= NAME_LENGTH_MAX
  && !/[,;。!?]|\.(?!\d)/.test(text)
  && ![ASKING, GIVING, HOBBY, TROUBLE].some((cue) => cue.test(text))
  && !cutKnown(text).some((word) => WORDS.has(word)))

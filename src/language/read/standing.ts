/** What the words beside a name say of it: whether it is wanted, or theirs already, or where. */
import { isObject, lastClause } from './background.ts'
import type { Name } from './names.ts'

export const WANTED = new RegExp('看看|想看|买|购|想要|需要|求|推荐|找|来[个点一]|入手|有没有|换|送'
  + '|want|need|looking|buy|find|get|recommend|show me')

const ASKED = new RegExp('(?:[买购挑选来整搞弄配添]|想要|需要|推荐|入手|换|求购?)(?:了|过|[一两三四五六七八九十俩仨几]|\\d{1,2})?'
  + '[个条张根只块套副把款件支台瓶盒包袋双本部顶]$|(?:想|要|去)买$'
  + '|(?<![a-z])(?:need|want|looking for|buy|get|recommend) (?:an?|some) $')

const BOUGHT = new RegExp('[买购](?:了|[一两三四五六七八九十俩仨几]|\\d{1,2})?'
  + '[个条张根只块套副把款件支台瓶盒包袋双本部顶]$|(?:团建|年会|活动|员工|公司|开会)发$')
/** 泡面想吃非油炸的: what the sentence is about stands first. */
const TOPIC = /^(?:我)?(?:想|要|得)(?:要|吃|喝|买|用|穿|看|找)[^;,.。!? ]{1,8}的(?=$|[;,.。!? ])/
/** 热水器坏了，想换一个: what is broken is wanted anew. */
const RENEWED = new RegExp('^[^;。]{0,6}(?:[坏旧破丢裂烧]|用了[^,;。]{1,5}年|退休|报废|罢工|不转|不行|不能用)了?'
  + '[^;。]{0,6}[;,。 ]?[^。]{0,6}(?:换|再买|重买|买个新|[弄整来][一]?个)')

/** 手机用了五年，想换个128G的: nothing else is meant. */
export const isReplaced = (text: string, name: Name): boolean =>
  RENEWED.test(behind(text, name)) && REPLACED.test(text)
const REPLACED = /(?:换|再买|重买)(?:[一新]?[个条张件双把台部只款副套]|成)?[^;,.。!? 换买]{1,12}的[.。!?]?$/

/** 挑个U盘: by its name, and for nothing else. */
export const isAskedFor = (text: string, name: Name): boolean =>
  ASKED.test(before(text, name)) || RENEWED.test(behind(text, name)) || isTopic(text, name)

/** 窗帘不要打孔装的: what is told apart by a refusal is wanted. */
const REFINED_HAN = new RegExp('^ ?[;,]?(?:里[头面]?|我|就|只|千万|可)*(?:不要(?![了钱]|$)|不想要|别要|别给|不喜欢'
  + '|除了|不考虑)(?=.{2})')
const REFINED_LATIN = new RegExp('^ ?,? ?(?:but )?(?:not'
  + '(?! (?:more|less|over|above|under|below)(?![a-z]))|without|except|anything but|other than)'
  + '(?: [a-z]|$)')

/** Whether it is surely what is bought: 买三个水壶. */
export const isBought = (text: string, name: Name): boolean =>
  BOUGHT.test(before(text, name)) || isTopic(text, name) || isRefined(text, name)

export const isRefined = (text: string, name: Name): boolean =>
  REFINED_HAN.test(behind(text, name))
    // Not "away from the bed, no chemicals".
    || (REFINED_LATIN.test(behind(text, name)) && standingOf(text, name) >= 0)

const isTopic = (text: string, name: Name): boolean =>
  lastClause(text, name.start) === name.start && TOPIC.test(behind(text, name))

const before = (text: string, { start }: Name): string =>
  text.slice(lastClause(text, start), start).slice(-BEFORE_LENGTH)

const behind = (text: string, { end }: Name): string => text.slice(end, end + AFTER_LENGTH)

/** What the words beside a name say of it; both must match where both are given. */
interface Cue {
  readonly before?: RegExp
  readonly after?: RegExp
  readonly name?: RegExp
  readonly worth: number
}
/** 装书 holds books, and 装空调 wants one. */
const INSTALLED = new RegExp('^(?!.*(?:空调|热水器|灯|窗帘|锁|机|门|马桶|龙头|花洒|扇|浴霸|路由器|监控|摄像头'
  + '|充电桩|护栏|柜|架|镜|网)$)')
const CUES: readonly Cue[] = [
  // What landing nets do you have?
  { before: /(?<![a-z])(?:what|which|any)(?: [a-z]+)? $/,
    after: /^ (?:do|can|would) you (?:have|sell|stock|carry|offer|recommend|suggest)(?![a-z])/,
    worth: 1 },
  // Took up fishing.
  { before: /(?<![a-z])(?:took|takes?|taking|taken|pick(?:ed|ing)?|gave|give|set) $/, name: /^up$/,
    worth: -1 },
  { before: WANTED, worth: 0.25 },
  // 我家, my: what they have is not what they want.
  { before: new RegExp('(?:我家|家里|家中|家有|我有|刚买了?|买过|已经有|有了|养了?|开的|(?<![a-z])i have'
    + '|(?<![a-z])(?:my(?! budget| price| limit)|our|his|got a|own))'
    + '(?![^;,.。!?]{0,7}[要需缺少买])[^;,.。!?]{0,8}$'),
  worth: -0.4 },
  // 洗衣液用完了: the same again.
  { after: /^ ?(?:快|都|又|刚)?(?:[用吃喝使]?[完光]|见底|空)了/, worth: 0.5 },
  // 给 iPad 配: what the goods are for.
  { before: /(?:给|为|帮|替)(?:我|咱|俺)?们?家?的?[个台部辆]?$/,
    after: /^ ?(?:配|买|换|装|套|贴|做|找|加|充|弄|搞|选|挑|用|来)/, worth: -0.7 },
  // 没空调: it is not there. 没墨粉了: it is needed, by what stands before.
  { before: /(?<!有)没(?:有|装)?$|(?<![a-z])(?:no|without an?) $/,
    after: /^(?!(?:[和跟与、][^ ;,.。!?]{1,6}){0,3}了)/, worth: -0.6 },
  { before: /(?<!有)(?:没|缺|断|少)[^ ;,.。!?]{0,8}$/,
    after: /^(?:[和跟与、][^ ;,.。!?]{1,6}){0,3}了/, worth: 0.4 },
  { after: /^ ?(?:没|缺|少)[^ ;,.。!?了]{1,4}了/, worth: -0.6 },
  { after: /^ ?的[^ ;,.。!?]{1,5}(?:丢|坏|断|碎|破|没|掉)[^ ;,.。!?]{0,2}了/, worth: -0.6 },
  // 平板买好了: they have it.
  { after: /^ ?(?:我)?(?:已经|都|刚)?(?:有了|有一[个台把]|买好|买了|到了|到货|到手|装好)/, worth: -0.6 },
  // My shaver died, I need a new one: what is broken is wanted anew.
  { after: new RegExp('^(?: has| is| just| was [a-z]+ and)?(?: died| broke| is dead| stopped'
    + '| gave (?:up|out)'
    + '| wore out)'
    + '[^.;]{0,30}(?:new|replacement|another|replace|this time|upgrade)(?![a-z])'), worth: 1.4 },
  // 猫砂盆下面, 沙发上: where they are used.
  { after: new RegExp('^ ?的?(?:里面?|上面?|下面?|底下|旁边?|边上|外面?|前面|后面|中间|缝里?|门口)'
    + '(?!头?[填塞充]|头?装的|头?最|头?哪|性价比|比较|有没有|衣|裤|套|饰|胆|市|新|档)'), worth: -0.6 },
  // 吉他换弦用的, 洗碗机用的: what is served by them.
  { after: new RegExp('^(?:换|清洗|清理|洗|擦|垫|贴|套|盖|修|充|挂|打|除|保养)[^ ;,.。!?的]{0,3}的'
    + '|^专?用(?:的|$|[;,.。!?])|^[都也]?(?:能|可以)(?:用|插|连|装|放|使|通用)'), worth: -0.6 },
  // 手机老是没电: what is broken or in the way is theirs already.
  { after: new RegExp('^ ?(?:太(?!阳|贵|便宜|低|高了)|老(?!人|年|款|式|牌|婆|公|师)|总(?![共计价预额数])'
    + '|[超很特](?:别|级)?(?:滑|脏|臭|吵|烫|冷|乱|慢|卡|硬|堵|潮|闷|黑|挤|松)'
    + '|一直|经常|天天|没电|没声|没信号'
    + '|坏了|坏掉|脏了|瘪了|空了|堵|漏水|漏气|漏风|掉毛|不制冷|不够|卡顿|很卡|发烫'
    + '|生锈|开裂|[^ ;,.。!?的没用吃喝]{0,4}(?:松|丢|碎|断|破|起球|掉色|裂)[^ ;,.。!?的]{0,2}了'
    + '|keeps |is broken|broke|died|is dead|is too |does not |doesn.t |stopped )'),
  worth: -0.6 },
  // 白鞋穿两次就黄了, 冰箱一打开那个味儿.
  { after: new RegExp('^[^ ;,.。!?]{0,6}就(?![行要好够可是给买来送])[^ ;,.。!?]{1,6}了?(?=$|[;,.。!? ])'
    + '|^ ?一(?:打开|开|洗|穿|用|下雨|关|热|冷)(?!次)|^[^ ;,.。!?]{0,4}(?:存满|塞满|撑不|装不下|存不下)'
    + '|^ ?(?:gets?|is|are|was|looks?|smells?|feels?|always|never) (?:so|too|really|always|very'
    + '|all|full|getting)(?![a-z])'), worth: -0.6 },
  // 沙发抓烂了.
  // Not 湿 of 湿巾, nor 破 of 破壁机, which may be wanted as well.
  { after: new RegExp('^[^ ;,，.。的]{0,3}(?<!不)(?:烂|坏|破|脏|湿|烫|响|裂|发黄|乱|疼|痛|酸|臭|霉)'
    + '(?=$|[ ;,.。!?了得死掉透完的个成到就怎咋啊呀不没])'), worth: -0.6 },
  { after: RENEWED, worth: 1.4 },
  // 坐沙发, 骑电动车: what they do meanwhile.
  { before: /(?<!想)看(?:着|个)?$/, name: /^(?:电视|书|手机|电影|小说|漫画|杂志|报纸|平板|动画)/, worth: -0.4 },
  { before: /(?:(?:坐|骑|养|弹|拉开|躺|趴)(?:在|个)?|(?<![斤两克瓶袋盒罐桶箱散])(?:放在?|装在))$/,
    worth: -0.4 },
  { before: /(?<![斤两克瓶袋盒罐桶箱散])装$/, name: INSTALLED, worth: -0.4 },
  // 老蹬被子: what somebody does to it.
  { before: /(?:老|总|爱|老是|总是|一直|经常|把)(?:是)?[踢蹬掀踹咬抓挠拆啃扯撕弄塞卡粘沾掉勾夹]$/, worth: -0.6 },
  // 当移动硬盘: what they make of it.
  { before: /(?:当|当作|当成|做成|改造成|拼成)$/, worth: -0.6 },
  // 不想打钉子: what they would rather do without.
  { before: /(?:不想|不用|不能|不敢|不让|不愿意?|不方便|懒得|没法|没办法)(?![再太])[^ ;,.。!?的买要花换看]{0,3}$/,
    worth: -0.6 },
  // Lighter than the suitcase I have.
  { before: /than (?:the|my) (?:[a-z]+ )?$/, after: /^ (?:i|we|that|from)(?![a-z])/, worth: 1 },
  // Under the sink, for a camera.
  { before: new RegExp('(?<!(?:look|search|shop|hunt|ask|need|pay)(?:ing)? |in the market '
    // $200 for a teapot.
    + '|\\d[\\d,.]*(?: ?(?:k|yuan|rmb|cny|kuai|bucks|dollars?|usd|euros?|pounds?))?'
    + '(?: or (?:so|less))?'
    + '(?: max| tops)? |(?:spend|budget|price|cost)(?:ing)? )'
    + '(?<![a-z])(?:for|in|on|under|from|inside|around|off|onto|down|against|beside|at'
    + '|with|than|of my)'
    + ' (?:(?:my|the|an?|our|his|her|your|their|this|that) )?(?:[a-z]+ )?$'), worth: -0.6 },
]
const DOES_IT = -0.6
const BEFORE_LENGTH = 24
const AFTER_LENGTH = 32

export function standingOf(text: string, name: Name): number {
  const [clause, rest] = [before(text, name), behind(text, name)]
  return CUES.reduce((sum, cue) =>
    (cue.before?.test(clause) ?? true) && (cue.after?.test(rest) ?? true)
      && (cue.name?.test(name.key) ?? true) ? sum + cue.worth : sum,
  // 磨咖啡豆的 does it.
  /^用?的(?:$|[;,.。!?])/.test(rest) && isObject(text, name) ? DOES_IT : 0)
}

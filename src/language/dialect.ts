/** What people of some places say, as everybody says it: 有冇, 落雨, 埋汰, 小囡. */
import { phrases } from './read/phrases.ts'
import type { Edit } from './read/retractions.ts'
import { list } from './read/words.ts'

/** Each is followed by what it means. */
const WORDS = new Map(list(`有没得 有没有|猫大米 猫粮|狗大米 狗粮|声音响 声音大
    |声儿大 声音大|声大的 声音大的|噪声大的 噪声大的|响声大的 响声大的|歌声大的 歌声大的
    |老多东西 很多东西|老多 很多
    |有得没 有没有|有冇 有没有|冇 没有|嘅 的|唔该 请|唔要 不要|唔好 不要|唔使 不用|唔 不|咗 了|喺 在|嚟 来|佢哋 他们|佢 他|我哋 我们
    |你哋 你们|嗰个 那个|嗰 那|乜嘢 什么|乜 什么|咩 什么|点解 为什么|几多 多少|平啲 便宜点|啲 些|俾 给|畀 给|搵 找|睇 看|瞓觉 睡觉|瞓 睡|食饭 吃饭
    |冲凉 洗澡|细路仔 小孩|细路 小孩|细蚊仔 小孩|老豆 爸爸|阿妈 妈妈|阿爸 爸爸|阿嫲 奶奶|阿嬷 奶奶|阿公 爷爷|bb仔 宝宝|bb女 宝宝|bb用 宝宝用
    |bb嘅 宝宝的|bb的 宝宝的|着嘅 穿的|嘢 东西|落雨天 下雨天|落雨 下雨|落雪 下雪|屋头 家里|娃儿 娃|细娃 小孩|幺儿 孩子|小囡 小孩|囡囡 女儿|细伢子 小孩
    |老汉儿 爸爸|老汉 爸爸|婆娘 老婆|堂客 老婆|啷个 怎么|咋个 怎么|咋子 干什么|么子 什么|莫得 没有|莫要 不要|冒得 没有|晓得 知道|要得 好|巴适 舒服
    |安逸得很 很舒服|安逸 舒服|得劲 舒服|撇脱 简单|相因 便宜|耗子 老鼠|蟑郎 蟑螂|偷油婆 蟑螂|檐老鼠 蝙蝠|波棱盖 膝盖|埋汰 脏|刺挠 痒
    |磕碜 难看|嘎嘎 非常|贼拉 非常|贼好 很好|贼冷 很冷|贼热 很热|贼香 很香|贼甜 很甜|贼辣 很辣|咋整 怎么办|整点 来点|唠嗑 聊天|嘎达 地方
    |旮旯 角落|旮沓 角落|毛楼 厕所|茅房 厕所|茅厕 厕所|小铺盖 小被子|铺盖 被子|侬 你|阿拉 我们|勿要 不要|覅 不要|汏 洗|困觉 睡觉|啥物 什么|啥米 什么
    |恁 你|俺们 我们|俺家 我家|甭 不用|倍儿 特别|忒 太|老鼻子 很多|齁咸 太咸|齁甜 太甜|冰凉冰凉 很凉|拔凉 很凉|滚烫滚烫 很烫
    |葱姜蒜 小葱、生姜、大蒜|姜葱蒜 小葱、生姜、大蒜|油盐酱醋 食用油、食盐、酱油、醋|柴米油盐 大米、食用油、食盐|锅碗瓢盆 炒锅、碗、汤勺
    |里头 里|边边 边|边边上 边上|户外头 户外头|外头 外面|男个 男的|女个 女的
    |有遮卖 有雨伞卖|有冇遮 有没有雨伞|买把遮 买把雨伞|要把遮 要把雨伞|一把遮 一把雨伞|把遮 把雨伞|遮卖 雨伞卖|缩骨遮 折叠伞
    |揩台子 擦桌子|揩桌子 擦桌子|电单车 电动车|米面油 大米、面粉、食用油|米面粮油 大米、面粉、食用油
    |姆妈 妈妈|撮子 簸箕|撮箕 簸箕|雨褸 雨衣|雨褛 雨衣|返工 上班|单车 自行车|屋里厢 家里|衣裳 衣服
    |笔墨纸砚 毛笔、墨汁、宣纸|针头线脑 针线盒|女票 女朋友|加班狗 上班的人|单身狗 单身的人|考研狗 考研的人|学生狗 学生|程序猿 程序员|程序媛 程序员
    |小强 蟑螂|喵星人 猫|汪星人 狗|喵主子 猫|猫主子 猫|铲屎官 养猫的人|神兽 孩子|快乐水 可乐|肥宅水 可乐|求推荐 推荐|种草 推荐|剁手 买|姨妈巾 卫生巾
    |玩耍 玩耍|杂耍 杂耍|戏耍 戏耍|耍猴 耍猴|耍娃儿 溜娃|耍娃 溜娃|娃儿耍 娃玩|细娃耍 小孩玩|小孩耍 小孩玩|娃耍 娃玩|耍的 玩的`)
  .map((pair): [string, string] => {
    const [said = '', meant = ''] = pair.split(' ')
    return [said, meant]
  }))
const SAID = phrases(WORDS.keys())

/** +2.00 of reading glasses, -4.00 of goggles. */
const DIOPTRES = /(?<![^ ])[+-](\d)\.(\d\d)(?!\d)/g

/** 一百蚊 is a hundred yuan. */
const YUAN = /(?<=[\d一二两三四五六七八九十百千])蚊(?![香帐子虫])/gu
/** Kids' bike. */
const PLURAL_OF = /(?<=[a-z]s)'(?= [a-z])/g
/** W/ and w/o. */
const WITH = /(?<![a-z0-9/])w\/o?(?![a-z0-9])/g
/** 字儿大点. */
const ERHUA = /[字声腿盖底腰](?=儿(?![童子歌科媳女孙]))儿/gu
/** 有无推荐, and no 有无糖的. */
const HAVING = /有无(?![糖油盐线酒烟籽核骨刺添])/g
/** 整个锅呗. */
const PARTICLE = /呗(?=[;,.。!? ]|$)/g
/** "Non slip" is no refusal of a slip. */
const NON = new RegExp('(?<=(?<![a-z])non) (?=(?:slip|stick|skid|toxic|greasy|drip|comedogenic'
  + '|alcoholic|dairy|spill)(?![a-z]))', 'g')
/** 有洗洁精么 asks as 吗 does. */
const WHETHER = /(?<=\p{Script=Han})(?<![什怎那这多要])么(?=$|[ ;,.。!?])/gu

/** 小两百 is what falls little short of it. */
const NEARLY = /(?<=^|[ ,;.。!?:]|花|预算|大概|也就)小(?=[一两二三四五六七八九][百千万])/g
/** 平角以外的不要 wants that and nothing else. */
const NOTHING_ELSE = '[以之]外的?(?:都|一律|全|我)?(?:不要|不行|不看|不考虑|免谈|别来|别推)'
const BESIDES = new RegExp(`除了?(?=[^ ,;.。!?的]{0,7}[^ ,;.。!?的\\d百千万]${NOTHING_ELSE})`, 'g')
const ONLY = new RegExp(`(?<=[^ ,;.。!?的\\d百千万])${NOTHING_ELSE}`, 'g')

const REWRITTEN: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [DIOPTRES, ([, whole = '', part = '']) => `${whole}${part}度`],
  [PLURAL_OF, () => ''], [WITH, ([said]) => said.endsWith('o') ? 'without' : 'with'],
  [NON, () => '-'], [PARTICLE, () => ''], [HAVING, () => '有没有'],
  [ERHUA, ([said]) => said.slice(0, 1)], [WHETHER, () => '吗'], [YUAN, () => '元'],
  [NEARLY, () => '约'], [BESIDES, () => ''], [ONLY, () => '的'],
]

/** In a folded text. */
export const dialectIn = (text: string): Edit[] => [
  ...SAID.find(text).map(({ start, end, phrase }) =>
    ({ start, end, to: WORDS.get(phrase) ?? phrase })),
  ...REWRITTEN.flatMap(([pattern, meant]) => [...text.matchAll(pattern)].map((match) =>
    ({ start: match.index, end: match.index + match[0].length, to: meant(match) }))),
].sort((left, right) => left.start - right.start)

/**
 * Whether a value that goods can have is wanted or refused where it is said, for what no cue of
 * `refusals.ts` took: 上面别印卡通, 馅里没韭菜的, 恐龙的已经有了. What is complained of is not wanted
 * again: 皮的太硬了, 上次买的竹席夹肉, "my old plastic one cracked". A complaint counts where its
 * object stands for goods of its own by 的, or where something else is asked for.
 */
import { isColour } from '../facts/appearance.ts'
import type { Values } from '../understanding.ts'
import { clauseAround, type Place } from './claims.ts'
import { isOnlySuch } from './demands.ts'
import { byStart, type Draft, type DraftWish } from './draft.ts'
import { phrases } from './phrases.ts'
import { refusedValues } from '../values.ts'
import { REFUSED_BEHIND, REFUSED_BEHIND_LATIN } from './refusing.ts'
import { list } from './words.ts'

const TROUBLES = list(`容易|易碎|易坏|易脏|易断|易裂|发霉|生锈|起球|掉毛|掉色|掉漆|掉渣|掉屑|开裂|裂了|断了|碎了|坏了|破了|漏了|漏水|生虫|长虫
  |有味|有点味
  |有股味|有异味|有怪味|有臭味|有塑料味|有霉味|味大|味道大|味太大|味道太大|味太重|味道太重|味重|刺鼻|扎人|扎脖子|扎肉|扎手|扎得|扎皮肤|夹肉|夹头发|夹手|硌|闷脚
  |闷汗|闷热|太闷|捂|不透气|过敏|难受|难闻|难喝|难吃|难穿|难用|难洗|头晕|受不了|不舒服|烫手|不耐用|不耐脏|不好用|不好洗|不好喝|不好吃|不好穿|不结实|不经用
  |too|cracked|broke|rusts|rusted|rusty|sheds|itches|itchy|smells|smelled|smelly|leaks|leaked
  |peels|peeled|faded|irritates|hurts|burns|stinks`)
const TROUBLE = phrases(TROUBLES)
const MUCH = /(?<!不要|不用|不能|不是|[不别勿])太(?![阳好棒美香赞多])|(?:老|总)(?:是|爱)?[发掉起生裂断坏漏卡]/
const OTHER = new RegExp('换|这[次回]|不想再|别的|其他|其它|想要|想买|改[用买]|(?<![a-z])(?:instead|other'
  + '|another|replace|different|something else|this time)(?![a-z])')
const BEFORE = /上[次回]|之前|以前|原来|旧的|(?<![a-z])(?:last|previous|old|current)(?![a-z])/
const ENDS_CLAUSE = /[;,.。!?、\n]/g
/** Before the value, with no more between them than a verb and whom it is done for. */
const NOT_BEFORE = new RegExp('(?:(?<![特区分差性级个识告离类])别|勿|甭|(?<![有乎])没有?|避免|谢绝'
  + '|不(?:要|想|能|会|许|得|含|带|是|用|需要?)'
  + '|免(?!费)|(?<![特区分差性级个识告离类])别(?:再)?(?:给|帮|替)?[^\\d\\0的 ]{0,3}(?:买|要|选|拿|来|挑|整|弄|穿|用))'
  + '[^\\d\\0的 了]{0,3}$|(?<![a-z])(?:not?|without|non|never|avoid|hate|skip|anything but'
  + '|(?:had |have |got |more than )?enough|plenty|(?:sick|tired|bored) of|fed up with'
  + '|already (?:have|got|own))'
  + '(?: (?:in|the|an?|any|of|made|too|with|come|have|be|contain))*[ -]$')
const AILMENTS = '头疼|头痛|头晕|恶心|想吐|反胃|犯困|打喷嚏|起疹|起疙瘩|长痘|长包|拉肚子|胃疼|肚子疼|上火|胀气|咳|过敏|痒|疼|难受'
const VERBS = '要了?|吃|喝|用|穿|戴|买|想要?|行|考虑|耐受|喜欢|爱|敢|习惯|接受|合适|适合|推荐|碰|看|进|睡|坐|躺|钻|理|闻|玩'
const DO_NOT = `(?:(?:不|没法|没办法)(?:太|能|想|再|大|怎么|敢)?(?:${VERBS})|${REFUSED_BEHIND}`
  + '|(?:会|都|严重|容易|有点|很)*过敏'
  + '|吃不消|受不住|够多了?|不缺|有的是|多得是|[穿走受吃喝戴用坐睡闻碰拿骑]不(?:了|惯|来|得|起|住|出(?:去|门|手)?)(?:路|觉|人)?'
  + '|谁爱(?:[吃喝用买要])?|(?:吃|喝|用|看|玩|穿|戴|盖|睡|坐)(?:腻|够|怕|伤)了?)'
/** Behind the value, in its own clause. */
const ENDS = '(?:那种|这种|的|了|吧|啊|哈|它|他|她)*(?=$|[;,.。!?、 \\n]|怕|因为)'
const NOT_BEHIND = new RegExp(`^[^\\d\\0 ]{0,8}?${DO_NOT}(?:谁?[吃喝用买]?)${ENDS}`
  + '|^[^\\d\\0]{0,6}(?:已经|早就?)?(?:有了|买过|买了|囤了)'
  + `|^(?: [a-z]+)? (?:${REFUSED_BEHIND_LATIN}|not for me|makes me|gives me|already)`
  + '|^(?:的|味的?|香型?的?|款的?|那种)?(?:我|他|她|它|孩子|宝宝|老人|妈|爸)?一?'
  + '(?:闻|吃|喝|穿|戴|用|碰|睡|盖|坐)(?:了|着|起来|上|多了)?'
  + `(?:就|都|会|容易|老是?|总是?)*(?:${AILMENTS})`)
const TOO_MUCH = /^[^\d\0 ]{0,8}?太多了?(?=$|[;,.。!?、 \n])/
/** The clause behind that of the value: nothing but the refusal, or a wish for others. */
const OTHERS = '(?:other|another|different)(?: (?:colou?r|flavou?r|scent|smell|material|style|kind'
  + '|type|one|filling|taste)s?)?'
const NOT_AFTER = new RegExp('^[;,.!? ]*(?:(?:give|show|get|find|send) me |i(?:\'d| would)? '
  + `(?:want|like|prefer) |please |only |just )*(?:some |any |an )?${OTHERS}`
  + '(?: please| instead| only| thanks)?'
  + '(?=$|[;,.!?]| (?:of|in|for) )|^[;,.。!?、 ]*(?:我|我们|反正|所以|就|也|都|实在|坚决|真的?|那种|这种|的|可)*'
  + `(?:${DO_NOT}${ENDS}`
  + `|(?:不要|不想要|不用|别)再?(?:带|有|买|用|是|给我)?[这那][个种类样款]${ENDS}|(?:想|请|来|要|给我)?换(?:个|成|点|一)?(?:别|其|另)`
  + '|(?:来|要|买|看|换)(?:点|些|个|别)?(?:的)?(?:别的|其他|其它)|(?:别的|其他|其它)[^;,.。!?]{0,5}(?:都|也)(?:行|可以|好|可|成))')
/** What is asked for is not refused by what follows: 要纯棉的, 不用太厚. */
const ASKED = new RegExp('(?:要|想买|想|来|买|最好|必须|只|得是|需要|换成?|改成?|want|need|with|prefer)'
  + ' ?(?:是|有|带|个|款|the|an?)? ?$')
const ASKS = /^[^;,.。!? ]{2,8}[ ,;.。](?:[^;,.。!?]{0,4})(?:要|来|换|买)[^;,.。!?]{1,6}的/
const REACH = 10
const OWN_REACH = 3

/** Nobody wishes for it. */
const FAULT = /^不(?:耐脏|耐用|耐看|好洗|好用|透气|结实|好看|舒服|保暖|防水|经用|方便|合脚|够.?|干净|好打理)$/
const EASILY = /(?<!不)(?:容易|老是|总是|动不动就?)$/

/** Moves wishes for what is refused or complained of to what is refused. */
export function readPolarity(draft: Draft, named: DraftWish[]): void {
  const { text, must, mustNot, ignored } = draft
  // 硅胶的容易发黄 says why, and wishes nothing.
  for (const wish of must.splice(0)) {
    const isWhy = (!wish.values && !wish.measure && EASILY.test(text.slice(0, wish.start)))
      || FAULT.test(text.slice(wish.start, wish.end))
    if (isWhy) ignored.push({ start: wish.start, end: wish.end, why: 'mentioned' })
    else must.push(wish)
  }
  for (const list of [must, named]) {
    for (const wish of list.splice(0)) {
      const isRefused = (!wish.measure || wish.values !== undefined) && !isOnlySuch(text, wish)
        && ((isComplaint(text, wish) && !isSolved(text, wish) && !isFitting(wish))
          || (isTelling(text, wish) && isDeclined(text, wish) && !isDenial(text, wish)))
      if (!isRefused) list.push(wish)
      else mustNot.push(wish.values ? { ...wish, values: refusedValues(wish.values) } : wish)
    }
  }
  for (const wish of mustNot.splice(0)) (isWeak(text, wish) ? must : mustNot).push(wish)
  // 青轴吵，别推青轴 says it twice.
  for (const list of [must, named]) {
    list.splice(0, list.length, ...list.filter((wish) => !mustNot.some((one) =>
      isWithin(wish.values, one.values))))
  }
  // 折叠的老是被风吹翻，别给我折叠的.
  const said = (places: readonly Place[]): string =>
    places.map(({ start, end }) => text.slice(start, end)).join(' ')
  const refused = new Set(mustNot.filter(({ measure }) => !measure)
    .map(({ places }) => said(places)))
  must.splice(0, must.length, ...must.filter(({ measure, places }) => measure !== undefined
    || places.length === 0 || !refused.has(said(places))))
  mustNot.sort(byStart)
}

/** 路由器穿墙不行 wishes one that is better at it. */
const WEAK = /^(?:功能|效果|能力|性能)?(?:老|总|太|都|也|很|实在)?(?:不行|不好|不够|不强|差|弱)/

const isWeak = (text: string, { places: [place], values }: DraftWish): boolean => {
  const all = [...values?.values() ?? []].flat()
  return place !== undefined && WEAK.test(text.slice(place.end)) && all.length > 0
    && all.every(({ attribute }) => attribute === null)
}

function isWithin(inner: Values | undefined, outer: Values | undefined): boolean {
  const all = [...inner ?? []]
  return all.length > 0 && all.every(([kind, values]) =>
    values.every((value) => outer?.get(kind)?.includes(value)))
}

/** 民谣吉他断了根弦: what the goods are for is theirs. */
const isFitting = ({ values }: DraftWish): boolean => {
  const all = [...values?.values() ?? []].flat()
  return all.length > 0 && all.every(({ attribute }) => /^适[用配]/.test(attribute ?? ''))
}

/** 头皮屑太多了 is told of what 去屑 is for, and 猫毛太多 of what no value says. */
const SOLVES = /[去防抗除止驱灭捕抓杀减粘夹]|不[易掉]/
function isSolved(text: string, { places: [place], values }: DraftWish): boolean {
  const said = text.slice(place?.start, place?.end)
  const all = [...values?.values() ?? []].flat()
  return HAN.test(said) && all.length > 0 && all.every((value) =>
    SOLVES.test(value.text) || !value.text.includes(said.charAt(0)))
}
const HAN = /\p{Script=Han}/u

/** 免手扶 is how the value is called, and refuses no 手扶. */
const isDenial = (text: string, { start, end, values }: DraftWish): boolean =>
  /^[免无不零非]/.test(text.slice(start - 1, end)) && [...values?.values() ?? []].flat()
    .some((value) => value.text.includes(text.slice(start - 1, end)))

/** A value of the goods, or a colour of any. */
const isTelling = (text: string, { values, places: [place] }: DraftWish): boolean =>
  values !== undefined || (place !== undefined && isColour(text.slice(place.start, place.end)))

const TAKEN_IN = /[吃喝用闻穿碰抹涂戴]了?$/
const AILS = new RegExp(`^(?:的|味的?|类)?(?:就|都|会|也|容易|老是?|总是?)*(?:${AILMENTS})`)
/** 行不行 and 能不能买 ask. */
const WHETHER = /([行好要可能是会想该许用])不\1以?|有没有/g

/** Whether a value of the goods is refused by what stands around it. */
function isDeclined(text: string, { start, end }: Place): boolean {
  const clause = clauseAround(text, { start, end }, ENDS_CLAUSE)
  const before = text.slice(clause.start, start).replace(WHETHER, '')
  if (NOT_BEFORE.test(before)) return true
  // 吃牛肉会拉肚子.
  if (TAKEN_IN.test(before) && AILS.test(text.slice(end, clause.end))) return true
  const behind = text.slice(end, clause.end).replace(WHETHER, '')
  if (ASKED.test(before)) return false
  // Who has too many mice wants none, and who has too much black no more of it.
  if (TOO_MUCH.test(behind) && isColour(text.slice(start, end))) return true
  return NOT_BEHIND.test(behind) || NOT_AFTER.test(text.slice(clause.end))
}

/** 轮子老坏: whether trouble is told behind it, in its clause. */
export function hasComplaint(text: string, { start, end }: Place): boolean {
  const behind = text.slice(end, clauseAround(text, { start, end }, ENDS_CLAUSE).end)
  return troubleIn(behind) <= REACH
}

/** Where trouble begins in what stands behind a value. */
const troubleIn = (behind: string): number => Math.min(
  TROUBLE.find(behind).find(({ start }) => !UNTROUBLED.test(behind.slice(0, start)))?.start
    ?? Infinity, MUCH.exec(behind)?.index ?? Infinity)
/** 不扎人 is no trouble. */
const UNTROUBLED = /[不没别无防]$/

/** Whether trouble is told of what stands at the place. */
export function isComplaint(text: string, { start, end }: Place): boolean {
  const clause = clauseAround(text, { start, end }, ENDS_CLAUSE)
  const behind = text.slice(end, clause.end)
  const at = troubleIn(behind)
  if (at > REACH) return false
  const isOwn = behind.startsWith('的') && at <= OWN_REACH
  // 纯羊毛扎人 要棉的.
  if (at <= 1 && ASKS.test(text.slice(end))) return true
  return isOwn || BEFORE.test(text.slice(clause.start, start)) || OTHER.test(text.slice(clause.end))
}

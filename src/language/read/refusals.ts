/**
 * What a sentence refuses. A cue stands before its object, as in 不要塑料 and "without leather", or
 * behind it, as in RGB不要 and 羊毛的就算了; some refuse only what is known to be in goods, as
 * 对花生过敏 does.
 */
import { isMaterial } from '../facts/appearance.ts'
import { GROUP_NAMES, groupOf } from '../groups.ts'
import { attributesIn } from './attributes.ts'
import type { Claims, Place } from './claims.ts'
import type { Draft } from './draft.ts'
import type { Name } from './names.ts'
import { REFUSED_BEHIND, REFUSED_BEHIND_LATIN } from './refusing.ts'
import { byStart, clauses, objectsAfter, type Clause } from './demands.ts'

/** 除湿 and 除螨 are what goods do. */
const EXCEPT = '除(?:了|去|掉|开)|除(?=[^;,.。!?]{1,12}(?:之外|以外|外(?![套卖出面形观衣放接置])))'
/** 别推荐要打孔的 refuses what has to be drilled. */
const OF_SUCH = '(?:什么|任何|那种|那些|需?要(?=[^;,.。!?、要]{1,6}的))?'
/** 推荐 and 看 only where they are what is refused: 别给我推荐. */
const SHOW = `(?:再)?(?:推(?:荐|给我?)?|推送|安利|看|发|来|整|拿|上|选|买|放)?${OF_SUCH}`
const NO_HAN = new RegExp('(?:千万|坚决|绝对|一律|就是|我)*(?:不(?:想|需)?要(?:再)?(?:推荐|给我推荐?|买)?'
  + '(?:任何|那种|什么|用|要(?=[^;,.。!?、要]{1,6}的))?'
  + '|不想(?:点|喝|吃|穿|戴|买|养|背|擦|抹|涂|装|泡)(?=\\p{Script=Han}{2,6}(?:$|[ ;,.。了吧]))'
  + `|不想用|不(?:想)?再(?:要|买|用)|别要`
  + '|(?<![特区分差性级个])别(?:来|拿|弄|整)(?![来我他她个])(?=\\p{Script=Han}{2})'
  + `|别(?:再)?给我${SHOW}|(?:别|不要|勿)(?:再)?推荐?${OF_SUCH}|别(?=[太是有带用放加含])(?:是|用|放|加)?`
  + '|不(?:能|想|可以|可)(?=太)|不(?:能|得|可|可以)?(?:含有?|加|是(?![我你他她它]))|不(?:能|得|可以)(?=[有带])'
  + '|不(?=[有带](?!一))'
  + '|(?<=[要买找来]|[ ,;])没(?:有|加|放|带|含)?(?=\\p{Script=Han}{1,4}的)'
  + '|(?<!手)不(?:吃|喝|用|穿|买|碰|学|玩|弹|拉|骑|戴|住|睡)(?=\\p{Script=Han}{1,5}(?:做|泡|煮|制|腌|炸)?的(?:$|[ ;,.。]))'
  + '|(?<=[他她它爸妈爷奶儿女孩娃人])(?:从来|一直|又|也|都)?不(?:吃|喝|戴|碰)'
  + '(?=\\p{Script=Han}{1,6}(?:$|[ ;,.。]))'
  + '|不(?:太|怎么)?喜欢|不(?:太|怎么)?想要|不接受|不考虑|拒绝|排除|避免|避开|讨厌|受不了(?!了)'
  + '|(?<!\\p{Script=Han})非(?![常洲凡要得此诚但法遗接])'
  + '(?=\\p{Script=Han}{1,4}(?:的|款|$|[ ;,.。]))'
  + `|${EXCEPT}|(?<!有)没有)`, 'gu')
const HAVE = '(?:want|need|like|have|eat|drink|use|wear|contain|stand|tolerate|recommend|'
  + 'show|give|send|include|take)'
const NO_LATIN = new RegExp('(?<![a-z0-9\'])(?:(?:i |we |he |she |they )?(?:do not|don\'t|dont|'
  + 'doesn\'t|does not|can\'t|cant|cannot|can not|won\'t|must not|mustn\'t|shouldn\'t|should not) '
  + `${HAVE}(?: me)?(?: any)?|without`
  + '|(?:any(?:thing)?|every(?:thing)?|all)(?: [a-z]+)? but(?! (?:i|not|with|under))'
  + '|no more(?! (?:than|expensive|money|costly|and)(?![a-z])| ?[\\d$¥€£])'
  + '|none (?:with|in|from|of (?:that|those))'
  + '|(?<!still (?:have |got )?)no(?! [a-z]+(?: [a-z]+)? (?:yet|left)(?![a-z]))'
  + '(?! (?:more|less|over|higher|problem|idea|matter|under|below|need|one|budget|limit)'
  + '(?![a-z])| ?(?:其他|其它|别的|$))|neither|'
  + '(?:is|are)n\'t(?! (?:too|so|very|that|there|any|needed|necessary|required'
  + '|important|essential))(?: (?:made (?:of|from)|an?))?|'
  + 'not(?! (?:more|less|over|exceed|exceeding|under|above|below|higher|only|so|'
  + 'sure|apply|my (?:thing|style|taste|cup)|for (?:me|us|him|her)|an option|wanted|welcome)'
  + '(?![a-z]))(?: (?:an?|any|the))?'
  + '(?: (?:made (?:of|from|with)|from|by|in|with|into|fans? of))?'
  + '|avoid(?:ing)?|except(?: for)?|besides|other than|apart from|aside from|exclud(?:e|es|ing)'
  + '|(?<=(?:^|[,;.!?]) ?)(?:please )?(?:hold|ditch|lose|nix|spare me) the'
  + '|minus|sans|hates?|dislikes?|allergic to|allerg(?:y|ies) to|intolerant (?:to|of)'
  + '|free (?:of|from)|(?:stay|keep|steer) (?:away from|clear of)|leave out'
  + '|instead of|rather than|but not'
  + '|nothing (?:with|made of|from|by|in)|(?:but )?nothing(?= (?:too )?[a-z]+(?:$|[ ,.;!?]))'
  + '(?! (?:too )?(?:else|but|fancy|special|like|wrong|expensive|pricey|much|more|less|with|made'
  + '|from|by|in|under|over|above|below))|non(?= ))(?![a-z0-9]|-[a-z])', 'g')
/** 除了手机还想买壳, "besides a phone I also need a case": both are wanted. */
const AS_WELL = new RegExp(String.raw`^(?:的)?(?:以外|之外|外)?[ ,]*(?:我)?(?:还|也|再)(?:要|想|需|得|能|可以|有|买`
  + String.raw`|推荐)|^[ ,]*(?:i|we) (?:also|still)`)
const ADDS = /^(?:除|besides|apart|aside|other)/
/** 以外, 之外 and 都行 belong to the refusal. */
const TAIL = new RegExp(String.raw`^(?:的)?(?:话)?(?:以外|之外|外)?(?:的)?(?:[ ,]*(?:其他|其它|别的|什么|啥|哪个`
  + String.raw`|哪种)?(?:的)?(?:颜色|牌子|品牌|款)?(?:都|也)(?:行|可以|可|好|成|ok|要))?`)
const REFUSE = '(?:吃|喝|用|玩|看|穿)腻了?'
  + '|不要了?|不想要了?|(?<!行)不行(?!了)|(?<!可)不可以|不喜欢|不爱(?:吃|喝|用|穿|看)?|不考虑|不接受|不需要|不想(?:买|看|用|穿|吃|喝)'
  + '|不(?:能|可以)(?:用|吃|喝|穿|戴|要|碰|有|含)|(?:用|戴|穿|吃|喝|受|接受|碰|坐|睡)不(?:了(?!了)|惯|得|来)'
  + '|不(?:吃|喝|碰|买|看|收|认|推荐|感兴趣)|不算(?:数|在内)?|(?<![a-z])(?:pass|no|nope)(?! ?[a-z])'
  + `|不(?:太)?适合我?|(?:千万[别莫甭]|(?<![分特])[别莫甭]给我)(?=$|[ ,.;。!?])|${REFUSED_BEHIND}`
const NO_BEHIND = new RegExp('(?:的|款|那种|这种|那些|[那这][档款个类]|的话)*'
  + '(?:[ ,]?(?:我|我家|孩子|宝宝|(?<![吉其])他|(?<!其)它|她|一[口点滴次眼]儿?|就|都|也|真的?|实在|一概'
  + `|拜托|麻烦|一律|统统|坚决|绝对|完全|千万|全部|还是|全|请|可|老)){0,4} ?(?<!得)(?:${REFUSE})(?:了|吧|哈|啊|呀|的|哦|哟|嘛)*`
  // Who speaks without signs goes on behind 不要啊.
  + '(?=$|[ ,.;。!?、\\d\0]|谢|其他|其它|别的|预算|最好|要|有没|换|想|(?<=[啊呀哦哟嘛]))', 'g')
const NO_BEHIND_LATIN = new RegExp(
  String.raw`(?<=[a-z])(?: (?:ones?|kinds?|types?|stuff|styles?))?,? (?:`
  + String.raw`${REFUSED_BEHIND_LATIN}|(?:is |are )?excluded|not (?:wanted|welcome)|no thanks?)`
  + String.raw`(?![a-z])`, 'g')
/** Whose object can only be something that goods contain. */
const ALLERGY_HAN = /(?:的)?(?:会|都|严重|容易|有点|轻度|重度)*(?:过敏(?![性药史源])|不耐受?)/g
const ALLERGY_LATIN = / (?:intoleran(?:t|ce)|allerg(?:y|ies))(?! to)(?![a-z])/g
const EAT = /(?:不(?:能|可以|可|太能|爱|喜欢)?|忌|戒|少)(?:吃|喝|碰|沾|口)?|(?:吃|喝|碰|沾)不(?:了|得|惯)/g
const BREAK = /[;,.。!?、 \0]/
/** What begins a clause beside what it refuses. */
const OPENING = new RegExp(String.raw`^(?:我们?|咱们?|你|他|她|家里?|的|那|但是?|就是|只是|另外|不过|其中|还有|和|或|跟|与|而且`
  + String.raw`|要是|如果|对|对于|因为|由于|除了?|什么|啥|任何|所有|带|有|含|是|个|款|种|一(?:丁?点|丝|毫)儿?)+`)
const CONJUNCTION = /、|\/|和|或者?|跟|与|以及|还有|及/
const IN_LIST = new RegExp(`^(?:${CONJUNCTION.source})`)
const PARTED = new RegExp(`(?:的)?(?:${CONJUNCTION.source})|的`)
/** 里头填羽毛的: what is in the goods. */
const FILLED = /^(?:里[头面边]?|上[头面]|外[头面])?(?:填充?|装|塞|加|含|带|印|绣)(?:的是|了|着|有)?(?=.{2})/
/** 巧克力味 is no goods. */
const TASTE = /^(?:味|口味|香型|香|馅|色)?(?:儿|的)*$/
const BEHIND_MAX = 14
const OBJECT_MAX = 8

/** 牛奶 of 牛奶蛋白, where all of it is refused as one. */
export const isPartOfGroup = (
  { text, mustNot }: Pick<Draft, 'text' | 'mustNot'>, one: Place,
): boolean => mustNot.some(({ places }) => places.some(({ start, end }) =>
  start <= one.start && end >= one.end && end - start > one.end - one.start
    && groupOf(text.slice(start, end)) !== undefined))

/** `text` has its taken characters masked. */
export function refusals(text: string, claims: Claims, names: readonly Name[]): Clause[] {
  const ends = [...text.matchAll(NO_BEHIND)].filter((one) => !isAhead(text, one))
  // 不要推给我了 has no object of its own.
  const isEnd = ({ start, end }: Place): boolean => ends.some(({ 0: said, index }) =>
    start >= index && end <= index + said.length)
  const before = [...clauses(text, NO_HAN, claims), ...clauses(text, NO_LATIN, claims),
    ...clauses(text, BARE, claims).filter((one) => one.objects.every((object) =>
      isWhollyKnown(text, object)))]
    .filter((one) => !isAsWell(text, one) && !isEnd(one))
    .map((one) => withRow(text, withTail(text, one), names))
  return [...before, ...behind(text, claims, names)].sort(byStart)
}

/** 千万别白色: behind a bare 别 only what goods are like is refused, and nothing that is done. */
const BARE = /(?<![特区分差性级个识告离类辨])(?:千万|可|绝对|最好|一定)*别(?=\p{Script=Han})/gu

const isWhollyKnown = (text: string, { start, end }: Place): boolean => {
  // 别红的: with 的 one character is a colour.
  const [one] = attributesIn(text.slice(start, text.charAt(end) === '的' ? end + 1 : end))
  return one?.start === 0 && one.end >= end - start
}

/** 敏感肌 不要 香精: between spaces it refuses what follows, but behind 塑料的. */
const isAhead = (text: string, { 0: said, index }: RegExpExecArray): boolean =>
  /^ ?(?:不要|不能有|不想要)$/.test(said) && (said.startsWith(' ') || text.charAt(index - 1) === ' ')
    && /^ [\p{Script=Han}a-z]/u.test(text.slice(index + said.length))
    && /[\p{Script=Han}a-z](?<![的款色])$/u.test(text.slice(0, index).trimEnd())

/** Where a refusal ends that stands here, behind what it refuses. */
export function refusalEnd(text: string, from: number): number | undefined {
  const [found] = text.slice(from).matchAll(NO_BEHIND)
  return found?.index === 0 ? from + found[0].length : undefined
}

const isAsWell = (text: string, { start, end }: Place): boolean =>
  ADDS.test(text.slice(start, start + 8)) && AS_WELL.test(text.slice(end, end + 12))

function withTail(text: string, clause: Clause): Clause {
  const tail = TAIL.exec(text.slice(clause.end, clause.end + 16))?.[0].length ?? 0
  return { ...clause, end: clause.end + tail }
}

/** 不要粉的紫的: one behind the other, each with 的. */
function withRow(text: string, clause: Clause, names: readonly Name[]): Clause {
  const objects = [...clause.objects]
  let { end } = clause
  for (;;) {
    const from = text.charAt(end) === '的' ? end + 1 : end
    const [next] = attributesIn(text.slice(from, from + OBJECT_MAX))
    const until = from + (next?.end ?? 0)
    const isRow = next?.start === 0 && text.charAt(from - 1) === '的'
      && (text.charAt(until) === '的' || text.charAt(until - 1) === '的'
        || (isNamedBehind(text, clause, until) && names.every(({ start }) => start !== from)))
    if (!isRow) return { ...clause, end, objects }
    objects.push({ start: from, end: text.charAt(until - 1) === '的' ? until - 1 : until })
    end = text.charAt(until) === '的' ? until + 1 : until
  }
}

/** 不想要塞进耳道的入耳式: what is told before 的 is called by its name behind it. */
const isNamedBehind = (text: string, { objects }: Clause, until: number): boolean =>
  (until === text.length || BREAK.test(text.charAt(until))) && objects.every(({ start, end }) =>
    end - start > TOLD_MIN && attributesIn(text.slice(start, end)).length === 0)
const TOLD_MIN = 2

/** 炒锅以外的锅. */
const EXCEPT_BEHIND = /(?:以外|之外)(?:的|,|$)/g

function behind(text: string, claims: Claims, names: readonly Name[]): Clause[] {
  const found: Clause[] = []
  for (const cue of [NO_BEHIND, NO_BEHIND_LATIN, EXCEPT_BEHIND]) {
    for (const match of text.matchAll(cue)) {
      const { 0: said, index } = match
      const end = index + said.length
      if (!claims.isFree(index, end) || isOfMeasure(text, index, end, names)
        || isAhead(text, match)) continue
      const segment = segmentBefore(text, index)
      const objects = segment && objectsIn(text, segment, names, /都|全|统统|一/.test(said))
      if (objects?.[0]) found.push({ start: objects[0].start, end, objects })
    }
  }
  return found
}

/** 水壶不要304不锈钢: behind the name of goods the cue belongs to the measure after it. */
const isOfMeasure = (
  text: string, start: number, end: number, names: readonly Name[],
): boolean =>
  /[\d\0]/.test(text.charAt(end)) && names.some((name) => name.end === start)

/** The clause before a cue; of 羊毛的穿着痒，不要 the one before that, up to 的. */
function segmentBefore(text: string, end: number): Place | undefined {
  const start = clauseStart(text, end)
  // 玻璃的容易碎 不要: parted from its cue, a clause with 的 is a complaint.
  const of = /[ ,]/.test(text.charAt(end)) ? text.slice(start, end).indexOf('的') : -1
  if (of > 0 && start + of < end - 1) return { start, end: start + of }
  if (start < end) return { start, end }
  const before = clauseStart(text, end - 1)
  const owner = text.slice(before, end - 1).indexOf('的')
  return owner > 0 && text.charAt(end - 1) !== '\0' ? { start: before, end: before + owner }
    : undefined
}

function clauseStart(text: string, end: number): number {
  let start = end
  while (start > 0 && end - start < BEHIND_MAX && !BREAK.test(text.charAt(start - 1))) start -= 1
  // A Latin word is not cut.
  if (/[a-z0-9]/.test(text.charAt(start))) {
    while (start > 0 && /[a-z0-9]/.test(text.charAt(start - 1))) start -= 1
  }
  return start
}

function objectsIn(
  text: string, { start, end }: Place, names: readonly Name[], isAll: boolean,
): Place[] {
  let from = start + (OPENING.exec(text.slice(start, end))?.[0].length ?? 0)
  // 键盘rgb不要: the goods stand before what is refused of them.
  for (const name of names) {
    const isGoods = name.start >= from && name.end < end
      && !TASTE.test(text.slice(name.end, end)) && !IN_LIST.test(text.slice(name.end, end))
    if (isGoods) from = name.end
  }
  from += FILLED.exec(text.slice(from, end))?.[0].length ?? 0
  while (from < end && /[的 ]/.test(text.charAt(from))) from += 1
  const pieces: Place[] = []
  let at = from
  for (const piece of text.slice(from, end).split(PARTED)) {
    const place = { start: text.indexOf(piece, at), end: text.indexOf(piece, at) + piece.length }
    at = place.end
    if (piece.trim() !== '') pieces.push(...wordsIn(text, place))
  }
  const isList = isAll || CONJUNCTION.test(text.slice(from, end))
  const last = pieces.at(-1)
  // 羊毛的扎脖子不要: what nobody knows behind 的 tells why.
  const isReason = last && pieces.length > 1 && text.charAt(last.start - 1) === '的'
    && attributesIn(text.slice(last.start, last.end)).length === 0
  // 真皮的沙发不要: of the only goods that are named.
  const before = pieces.at(-2)
  const [only] = names.length === 1 ? names : []
  if (before && last && only?.start === last.start && only.end === last.end && !isList) {
    return [{ start: before.start, end: last.end }]
  }
  const objects = isList ? pieces : isReason ? pieces.slice(-2, -1) : pieces.slice(-1)
  return objects.filter((one) => one.end - one.start <= OBJECT_MAX
    || /^[a-z]/.test(text.slice(one.start, one.end)))
}

/** 白色红色 is two; what no list has is one. */
function wordsIn(text: string, place: Place): Place[] {
  const inside = text.slice(place.start, place.end)
  const known = attributesIn(inside)
  const covered = known.reduce((sum, one) => sum + one.end - one.start, 0)
  return known.length > 1 && covered === inside.length
    ? known.map((one) => ({ start: place.start + one.start, end: place.start + one.end }))
    : [place]
}

/** With what touches them: 天然乳胶. */
function materialsIn(text: string): Place[] {
  const all = attributesIn(text)
  return all.filter(({ start, end }) => isMaterial(text.slice(start, end))).map((one) =>
    ({ start: all.find(({ end }) => end === one.start)?.start ?? one.start, end: one.end }))
}

/** 对花生过敏, 乳糖不耐受, 不吃香菜, peanut allergy: of known groups only. */
export function intolerances(text: string, claims: Claims): Clause[] {
  const found: Clause[] = []
  for (const cue of [ALLERGY_HAN, ALLERGY_LATIN]) {
    for (const { 0: said, index } of text.matchAll(cue)) {
      const from = clauseStart(text, index)
      const start = cue === ALLERGY_HAN ? from : Math.max(0, index - 24)
      const before = text.slice(start, index)
      const groups = GROUP_NAMES.find(before)
      // 对乳胶过敏: what goods are made of.
      const objects = (groups.length > 0 ? groups : materialsIn(before))
        .map((one) => ({ start: start + one.start, end: start + one.end }))
      const begin = objects[0]?.start
      if (begin === undefined) continue
      const lead = /(?:我|对|他|她|它|有|会| )*(?:对)$/.exec(text.slice(0, begin))?.[0].length ?? 0
      found.push({ start: begin - lead, end: index + said.length, objects })
    }
  }
  for (const { 0: said, index } of text.matchAll(EAT)) {
    const at = index + said.length
    const object = said.length > 1 || /^[忌戒]/.test(said) ? GROUP_NAMES.at(text, at) : undefined
    if (!object || !claims.isFree(index, object.end)) continue
    found.push({ start: index, end: object.end, objects: objectsAfter(text, at, claims)
      .map((one, order) => order === 0 ? { start: object.start, end: object.end } : one)
      .filter((one) => GROUP_NAMES.has(text.slice(one.start, one.end))) })
  }
  return found
}

const DENIED = /无添加|零添加|不添加|0添加|未添加|不含有?|不加|[无零免]|(?<!\d)0/g
const FREE_OF = new RegExp('(?<![a-z0-9])([a-z]+(?: [a-z]+)?)[ -]free(?![a-z0-9])'
  + '(?! (?:of|from|shipping))', 'g')
const FREE_AFTER = /^的?(?:$|[^\p{Script=Han}]|[的版型款配系可])/u

/** 无酒精 and 不含谷物 as one word, before 酒精 is read as goods. */
export function denials(text: string, names: readonly Name[]): Place[] {
  return [...text.matchAll(DENIED)].flatMap(({ 0: cue, index }): Place[] => {
    const object = GROUP_NAMES.at(text, index + cue.length)
    if (!object) return []
    const { end } = object
    const isWhole = FREE_AFTER.test(text.slice(end, end + 2))
      || names.some(({ start }) => start === end)
    return isWhole ? [{ start: index, end }] : []
  })
}

/** "sugar free", gluten-free, "no added sugar". */
export function latinDenials(text: string): Place[] {
  return [...text.matchAll(FREE_OF)]
    .flatMap(({ 0: said, 1: word = '', index }): Place[] => {
      const [last = ''] = /[a-z]+$/.exec(word) ?? []
      const name = GROUP_NAMES.has(word) ? word : GROUP_NAMES.has(last) ? last : ''
      return name === '' ? [] : [{ start: index + word.length - name.length,
        end: index + said.length }]
    })
}

/** Prices that are not wanted: 几十块的别拿来糊弄我, "don't show me the 50-yuan ones". */
import { overlaps, type Place } from './claims.ts'
import type { Signals } from './signals.ts'

/** How far beside a price its refusal is looked for. */
const REACH = 24
const BEFORE = new RegExp('(?:别|甭|勿|不要|不想要?|不用|不是|(?<![a-z])(?:do ?n.?t|not|no|never))'
  + '(?:再|净|老|光|总|尽|给我|跟我|拿|推荐?|发|来|弄|整|看|买|选|要|那种|这种|那些|什么|太?便宜的?'
  + '|(?: |(?<= ))(?:show|give|send|offer|sell|suggest|recommend|want|need|me|any|the'
  + '|those|these|cheap))* ?$')
const CLOSED = '(?=[了掉吧啊呀的呢]*(?:$|[;,.。!? ]))'
const REASONS_CHEAP = '糊弄|忽悠|打发|敷衍|杂牌|地摊|垃圾|看不上|瞧不上|拿不出手|送不出手'
  + '|[^;,.。!?不]{1,2}不(?:了|住|久|干净|清楚)|不(?:放心|耐用|经用|经穿|耐穿|结实|靠谱|像样)' + CLOSED
  + `|(?:一[^;,.。!?]{1,2}|[几一二两三俩仨半][天周月年次回]|\\0)就(?![够行好可能])[^;,.。!?]{1,5}(?=$|[;,.。!?])`
  + `|[就都又](?:裂|断|掉|散|烂|没用)|坏${CLOSED}|太(?:差|次|假)`
  + '|(?<![a-z])(?:broke|fell apart|junk|rubbish|trash|useless)(?![a-z])'
const REASONS_DEAR = '[买伤]不起|吃不消|太贵|(?<![a-z])(?:too expensive|too dear|afford)(?![a-z])'
const REFUSED = '算了|免了|免谈|拉倒|别[给拿推来发提看再跟往]|甭'
  + `|不(?:要|行|买|看|考虑|想要|想看|敢[买用要]|值|合适|喜欢)${CLOSED}`
const BEHIND = new RegExp('^ ?(?:钱)?(?:的|那种|这种|那些|货|[ -]ones?(?![a-z])'
  + '|(?= (?:is|are|was|were|broke)(?![a-z])))'
  + `[^;,.。!?]{0,10}?(?:${REASONS_CHEAP}|${REASONS_DEAR}|${REFUSED})`
  + '(?:来?(?:糊弄|忽悠|打发|敷衍)[我人]?)?')
/** What is told of all goods below a price, where that is no praise: 低于200的都怕是假的. */
const BELITTLED = new RegExp('^ ?(?:钱|价位)?(?:的|那种|那些|货|东西)+(?:[^;,.。!?的]{0,6}?'
  + `(?:${REASONS_CHEAP}|谁[敢要]|哪[能敢]|都怕|(?:肯定|估计|多半|基本|大多|根本|往往|都)(?:是(?![我有什多])|不[^用贵错差要嫌])`
  + '|不(?:碰|买账|值当|想碰|可信)|喝不出|用不住|智商税|假货|劣质|薄皮|次品|差劲))[^;,.。!?]*'
  + '|^(?: ?(?:yuan|bucks|kuai))?(?: (?:ones?|things?|stuff|pairs?))?'
  + '(?: (?:is|are|was|were|will|would|just|always|usually|tends? to|all|only|so))*'
  + ' (?:junk|rubbish|trash|garbage|useless|crap|fakes?|awful|terrible|flimsy|rip-?offs?|poor'
  + '|broke|breaks?|falls? apart|sounds? (?:awful|bad|terrible|tinny)|never last|can\'t be'
  + '|won\'t last|do(?:es)?n\'t last|not worth|a joke|suspicious|low quality)[^;,.!?]*')
/** Why a price is refused tells on which side of it one is wanted. */
const TOO_CHEAP = new RegExp(`便宜|(?<![a-z])cheap(?![a-z])|${REASONS_CHEAP}`)
const TOO_DEAR = new RegExp(`贵|expensive|pricey|${REASONS_DEAR}`)

export interface Scorned extends Signals {
  /** What it says all the same. */
  readonly side: {
    readonly min: number | null
    readonly max: number | null
    readonly kind: 'hard'
    readonly isStrong: boolean
  }
}

/** Of a price that is named without a limit. */
export function scornedIn(
  text: string, cues: Signals, names: readonly Place[],
  { low, high }: { readonly low: number, readonly high: number },
): Scorned | undefined {
  if (cues.bound === 'most') return belittledIn(text, cues, names, high)
  if (cues.bound === 'least' || cues.isBudget || cues.scope === 'total') return undefined
  const from = Math.max(0, cues.start - REACH)
  const clause = from + text.slice(from, cues.start).search(/[^;,.。!?]*$/)
  const ahead = BEFORE.exec(text.slice(clause, cues.start))
  const behind = BEHIND.exec(text.slice(cues.end, cues.end + REACH))?.[0].length ?? 0
  if (!cues.isRefused && !ahead && behind === 0) return undefined
  const place = { start: ahead ? clause + ahead.index : cues.start, end: cues.end + behind }
  const why = text.slice(clause, place.end)
    + (/^[^\0]{0,8}/.exec(text.slice(place.end))?.[0] ?? '')
  const isDear = TOO_DEAR.test(why)
  const isWhole = !names.some((name) => overlaps(name, place))
  return { ...cues, ...isWhole && place, side: { kind: 'hard', isStrong: false,
    max: isDear ? low : null, min: !isDear && TOO_CHEAP.test(why) ? high : null } }
}

/** 两百以下的音质都不行: who thinks so little of what is cheaper wants what costs more. */
function belittledIn(
  text: string, cues: Signals, names: readonly Place[], high: number,
): Scorned | undefined {
  if (cues.isRefused || cues.isBudget || cues.scope === 'total') return undefined
  const name = names.find(({ start }) =>
    start >= cues.end && /^[的 ]?$/.test(text.slice(cues.end, start)))
  const behind = text.slice(name?.end ?? cues.end, (name?.end ?? cues.end) + REACH)
  const said = BELITTLED.exec(name ? `的${behind}` : behind)?.[0].length ?? 0
  if (said === 0) return undefined
  const side = { kind: 'hard', isStrong: true, min: high, max: null } as const
  return name ? { ...cues, side, apart: [{ start: name.end, end: name.end + said - 1 }] }
    : { ...cues, side, end: cues.end + said }
}

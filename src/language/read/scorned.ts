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
  + `|(?:一[^;,.。!?]{1,2}|[几一二两三俩仨半][天周月年次回]|\\0)就(?![够行好可能])[^;,.。!?]{1,5}(?:$|[;,.。!?])`
  + `|[就都又](?:裂|断|掉|散|烂|没用)|坏${CLOSED}|太(?:差|次|假)`
  + '|(?<![a-z])(?:broke|fell apart|junk|rubbish|trash|useless)(?![a-z])'
const REASONS_DEAR = '[买伤]不起|吃不消|太贵|(?<![a-z])(?:too expensive|too dear|afford)(?![a-z])'
const REFUSED = '算了|免了|免谈|拉倒|别[给拿推来发提看再跟往]|甭'
  + `|不(?:要|行|买|看|考虑|想要|想看|敢[买用要]|值|合适|喜欢)${CLOSED}`
const BEHIND = new RegExp('^ ?(?:钱)?(?:的|那种|这种|那些|货|[ -]ones?(?![a-z])'
  + '|(?= (?:is|are|was|were|broke)(?![a-z])))'
  + `[^;,.。!?]{0,10}?(?:${REASONS_CHEAP}|${REASONS_DEAR}|${REFUSED})`
  + '(?:来?(?:糊弄|忽悠|打发|敷衍)[我人]?)?')
/** Why a price is refused tells on which side of it one is wanted. */
const TOO_CHEAP = new RegExp(`便宜|(?<![a-z])cheap(?![a-z])|${REASONS_CHEAP}`)
const TOO_DEAR = new RegExp(`贵|expensive|pricey|${REASONS_DEAR}`)

export interface Scorned extends Signals {
  /** What it says all the same. */
  readonly side: {
    readonly min: number | null
    readonly max: number | null
    readonly kind: 'hard'
    readonly isStrong: false
  }
}

/** Of a price that is named without a limit. */
export function scornedIn(
  text: string, cues: Signals, names: readonly Place[],
  { low, high }: { readonly low: number, readonly high: number },
): Scorned | undefined {
  const isLimit = cues.bound === 'most' || cues.bound === 'least'
  if (isLimit || cues.isBudget || cues.scope === 'total') return undefined
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

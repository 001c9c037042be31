/** Whether the cheapest, the best or the best value is wished. */
import type { Mode } from '../understanding.ts'
import { overlaps, type Place } from './claims.ts'
import { phrases } from './phrases.ts'
import { MODES, NOT_AFTER_MODE, NOT_BEFORE_MODE, SCORNED_MODE } from './words.ts'

const MODE_OF = new Map((Object.keys(MODES) as Mode[]).flatMap((mode) =>
  MODES[mode].map((phrase): [string, Mode] => [phrase, mode])))
const PHRASES = phrases(MODE_OF.keys())

const LOWEST = /最低|最便宜|最不贵|cheapest|lowest/
/** 哪个最好, 质量最好. */
const BEST_OF = /[哪谁什么款种家牌个台质性评口]\p{Script=Han}?$|^$|[ ,;。]$/u

/** 送好茶叶, 来瓶好酒: a good one. */
const GOOD = /[送买换来挑选整弄找要点些把双件台瓶盒条个套支副张斤口]好$/

export interface FoundMode {
  readonly mode: Mode | null
  readonly spans: readonly Place[]
  /** Said of what is not wished: 不求最好. */
  readonly denied: readonly Place[]
}

export function modeIn(text: string, names: readonly Place[]): FoundMode {
  const spans: Place[] = []
  const denied: Place[] = []
  const wished = new Set<Mode>()
  for (const { start, end, phrase } of PHRASES.find(text)) {
    const after = text.slice(end, end + 16)
    // 最好是 is "preferably", and so is 白色最好.
    const isPreferably = phrase === '最好' && (/^[\p{Script=Han}]/u.test(after)
      || !BEST_OF.test(text.slice(Math.max(0, start - 6), start)))
    const not = NOT_BEFORE_MODE.exec(text.slice(Math.max(0, start - 16), start))
    if (NOT_AFTER_MODE.test(after) || (isPreferably && !not)) continue
    const scorned = SCORNED_MODE.exec(after)?.[0].length ?? 0
    if (scorned > 0) {
      const place = { start, end: end + scorned }
      if (!names.some((name) => overlaps(name, place))) denied.push(place)
      continue
    }
    if (not) {
      denied.push({ start: start - not[0].length, end })
      continue
    }
    wished.add(MODE_OF.get(phrase) ?? 'value')
    spans.push({ start, end })
  }
  for (const { start } of names) {
    if (!GOOD.test(text.slice(0, start))) continue
    wished.add('quality')
    spans.push({ start: start - 1, end: start })
  }
  const isLowest = spans.some(({ start, end }) => LOWEST.test(text.slice(start, end)))
  // Cheap and good at once is value for money.
  const [first = null] = wished
  return { mode: isLowest ? 'cheapest' : wished.size > 1 ? 'value' : first, spans, denied }
}

/** Whether the cheapest, the best or the best value is wished. */
import type { Mode } from '../understanding.ts'
import type { Place } from './claims.ts'
import { phrases } from './phrases.ts'
import { MODES, NOT_AFTER_MODE, NOT_BEFORE_MODE } from './words.ts'

const MODE_OF = new Map((Object.keys(MODES) as Mode[]).flatMap((mode) =>
  MODES[mode].map((phrase): [string, Mode] => [phrase, mode])))
const PHRASES = phrases(MODE_OF.keys())

export interface FoundMode {
  readonly mode: Mode | null
  readonly spans: readonly Place[]
  /** Said of what is not wished: 不求最好. */
  readonly denied: readonly Place[]
}

export function modeIn(text: string): FoundMode {
  const spans: Place[] = []
  const denied: Place[] = []
  const wished = new Set<Mode>()
  for (const { start, end, phrase } of PHRASES.find(text)) {
    const after = text.slice(end, end + 6)
    // 最好是 is "preferably".
    const isPreferably = phrase === '最好' && /^[\p{Script=Han}]/u.test(after)
    if (NOT_AFTER_MODE.test(after) || isPreferably) continue
    const not = NOT_BEFORE_MODE.exec(text.slice(Math.max(0, start - 16), start))
    if (not) {
      denied.push({ start: start - not[0].length, end })
      continue
    }
    wished.add(MODE_OF.get(phrase) ?? 'value')
    spans.push({ start, end })
  }
  // Cheap and good at once is value for money.
  const [first] = wished
  return { mode: wished.size > 1 ? 'value' : first ?? null, spans, denied }
}

export type PerUnit = 'ml' | 'g' | 'piece'

const PER = new RegExp('(?:按|每一?|论|单)(张|抽|片|粒|颗|支|只|个|包|瓶|块|斤|公斤|克|100 ?g|100克|毫升|升|100 ?ml|100毫升)'
  + '(?:来)?(?:算|计|的?价格?|单价|下来|均价|最)|单价(?:最?低|便宜|算)'
  + '|(?:per|by the|price per|cost per) (sheet|piece|count|tablet|capsule|bag|roll|ml|100 ?ml'
  + '|lit(?:er|re)|kg|kilo|gram|100 ?g|pound)(?![a-z])|unit price')
const LIQUID = /升|ml|lit/
const SOLID = /斤|克|g$|kg|kilo|gram|pound/

export interface FoundPer extends Place {
  readonly unit: PerUnit
}

/** 按张算: prices are compared by the sheet. */
/** 一斤五块以内: what a unit may cost is no price of the goods; prices are compared by it. */
const UNIT_COST = new RegExp('(?:平均|折合|算下来|算)?(?:每|一)(斤|公斤|片|张|抽|粒|颗)(?:的?价格|大概|大约)?'
  + '(?:不到|不超过|低于|少于|在|最多)?[0-9一二两三四五六七八九十百点.]+(?:块|元|毛)[0-9一二三四五六七八九]?'
  + '(?:以内|以下|之内|左右|上下)?(?:的|$)?')

export function perUnitIn(text: string): FoundPer | undefined {
  const found = PER.exec(text) ?? UNIT_COST.exec(text)
  if (!found) return undefined
  const written = found[1] ?? found[2] ?? ''
  return {
    start: found.index, end: found.index + found[0].replace(/最$/, '').length,
    unit: LIQUID.test(written) ? 'ml' : SOLID.test(written) ? 'g' : 'piece',
  }
}

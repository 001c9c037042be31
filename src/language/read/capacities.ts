/** 16GB RAM of a laptop, 256G内存 of a telephone: what it has, and no goods beside it. */
import { categoryOf } from '../../goods/taxonomy.ts'
import { DEVICES } from '../profile.ts'
import type { Draft } from './draft.ts'
import type { Name } from './names.ts'

const HAN_PARTS = '运行?内?存|内存|存储|硬盘|固态硬盘?'
const PART = new RegExp(`^(?:ram|rom|memory|storage|ssd|hdd|hard (?:drive|disk)|${HAN_PARTS})$`)
const PARTS = new RegExp(HAN_PARTS)
/** Nothing else stands between how much there is and of what. */
const OF = /^ ?(?:的|of )?(?:internal |built[- ]in )?$/
const CAPACITIES: ReadonlySet<string> = new Set(['g', 'gb'])
/** Who adds to what they have buys it by itself. */
const BESIDE = new RegExp('^[ ,]*(?:and|plus|和|跟|与|及|加|还|\\+)|[加换装扩升另再买]|还要'
  + '|(?<![a-z])(?:also|upgrade|add|another|buy)(?![a-z])')

/** Behind a sign, or a part that is one already, it might be further goods. */
const isApart = (gap: string): boolean => /[,;]/.test(gap) || PARTS.test(gap)

/** Whether a name is that of a part, of which a device named before it has so much. */
export function isCapacity(
  { text, must }: Draft, { start, key }: Name, names: readonly Name[],
): boolean {
  if (!PART.test(key)) return false
  const measure = must.find((wish) => wish.measure && CAPACITIES.has(wish.measure.unit)
    && wish.end <= start && OF.test(text.slice(wish.end, start)))
  const device = measure && names.findLast((name) => name.end <= measure.start
    && !PART.test(name.key) && name.senses.some(({ kind }) => DEVICES.has(categoryOf(kind))))
  const gap = text.slice(device?.end, measure?.start)
  return device !== undefined && isApart(gap) && !BESIDE.test(gap)
}

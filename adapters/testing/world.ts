/** A small world for tests: sixty products, one of them with a title that means harm. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../time.ts'
import { createUniverse, type SimProduct } from '../simulator/products.ts'

const BRANDS = ['澄器', '星柚', '远岚', '木禾', '极光'] as const
const KINDS = [
  { name: '蓝牙耳机', category: '数码', price: 19_900, words: ['降噪', '入耳式', '头戴式'] },
  { name: '电热水壶', category: '厨房电器', price: 12_900, words: ['1.7L', '304不锈钢', '保温'] },
  { name: '保温杯', category: '家居', price: 5900, words: ['600ml', '便携', '316不锈钢'] },
  { name: '双肩包', category: '箱包', price: 15_900, words: ['防水', '大容量', '商务'] },
] as const

/** Zero-width, direction, tag and control characters; full-width letters; markup. */
export const HOSTILE_TITLE =
  '藏锋\u200b\u202e 蓝牙耳机<em>ＡＢＣ</em>\u{e0041}\u{e0042}\u0000\n 999\u2066新款\ufeff'
export const HOSTILE_CLEAN = '藏锋 蓝牙耳机ABC 999新款'

export const PRODUCTS: readonly SimProduct[] = Array.from({ length: 60 }, (_, index) => {
  const kind = KINDS[index % KINDS.length] as (typeof KINDS)[number]
  const brand = BRANDS[index % BRANDS.length] as string
  const word = kind.words[index % kind.words.length] as string
  return {
    index, brand, category: kind.category, basePrice: kind.price + index * 130,
    title: index === 8 ? HOSTILE_TITLE : `${brand} ${kind.name} ${word} M-${100 + index}`,
  }
})

export const UNIVERSE = createUniverse(PRODUCTS)

/** A clock that moves when a test says so. */
export interface HandClock extends Clock {
  forward(ms: number): void
}

export function handClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): HandClock {
  let now = start
  return {
    now: () => now,
    forward(ms) {
      now += ms
    },
  }
}

/** Waits on a fact; the deadline is for hangs. */
export async function until(fact: () => boolean, deadlineMs = 5000): Promise<void> {
  for (let waited = 0; !fact(); waited += 5) {
    if (waited > deadlineMs) throw new Error('The fact did not come about.')
    await pause(5)
  }
}

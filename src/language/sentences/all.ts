/** The frozen set, in the order in which it was written. */
import { afterRules } from './after-rules.ts'
import { beforeRules } from './before-rules.ts'
import { budgets } from './budgets.ts'
import type { Expected } from './expected.ts'
import { mixed } from './mixed.ts'
import { traps } from './traps.ts'
import { wishes } from './wishes.ts'

export const SETS: Readonly<Record<string, readonly Expected[]>> =
  { beforeRules, budgets, traps, wishes, mixed, afterRules }

export const allSentences: readonly Expected[] = Object.values(SETS).flat()

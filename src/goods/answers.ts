/**
 * Answers that are kept as they were sent. What only the catalogue decides holds as long as its
 * snapshot; the stock that an answer shows is compared with the board each time it is sent again.
 */
import type { JsonText } from '../contract/json.ts'
import type { Board } from './board.ts'

export interface KeptAnswer {
  readonly text: JsonText
  readonly productIds: readonly number[]
  readonly quantities: readonly number[]
  readonly snapshotAt: string
  /** Of the board, when it was last compared. */
  revision: number
}

export function keptAnswer(
  text: JsonText, productIds: readonly number[], board: Board,
): KeptAnswer {
  const quantities = productIds.map((id) => board.quantity(id))
  const { snapshotAt, revision } = board
  return { text, productIds, quantities, snapshotAt, revision }
}

/** Whether it says what the board says now. */
export function isCurrent(answer: KeptAnswer, board: Board): boolean {
  const { productIds, quantities, snapshotAt, revision } = answer
  if (snapshotAt !== board.snapshotAt) return false
  if (revision === board.revision) return true
  for (let at = 0; at < productIds.length; at += 1) {
    if (board.quantity(productIds[at] ?? 0) !== quantities[at]) return false
  }
  answer.revision = board.revision
  return true
}

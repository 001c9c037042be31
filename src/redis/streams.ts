/** An entry of a partition's outbox. */
export interface OutboxEvent {
  readonly id: string
  readonly partition: number
  /** What happened: an order's event name, or `stock` for a recorded delta. */
  readonly type: string
  /** Milliseconds, Redis's clock. */
  readonly at: number
  readonly productId: number
  /** Units left after it, when it changed the stock. */
  readonly stock?: number
  readonly orderNo?: string
  readonly agent?: string
}

/** Follows every outbox without acknowledging: a node's own view, rebuilt when it falls behind. */
export interface Follower {
  apply(events: readonly OutboxEvent[]): void
  /** Entries were trimmed before they were read: reload the partition from the truth. */
  reload(partition: number): Promise<void>
  /** All partitions were seen to be followed up to this moment (node clock, ms). */
  current(atMs: number): void
}

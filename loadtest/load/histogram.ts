/** Many durations in little memory: counted by size, each size class 3 % wider than the last. */

const WIDTH = Math.log(1.03)
/** Class 0 holds what is shorter than this. */
const SHORTEST_MS = 0.01

export class Histogram {
  private readonly counts: number[] = []
  count = 0
  max = 0

  add(ms: number): void {
    const place = ms < SHORTEST_MS ? 0 : 1 + Math.floor(Math.log(ms / SHORTEST_MS) / WIDTH)
    this.counts[place] = (this.counts[place] ?? 0) + 1
    this.count += 1
    this.max = Math.max(this.max, ms)
  }

  merge(other: Histogram): void {
    other.counts.forEach((count, place) => {
      this.counts[place] = (this.counts[place] ?? 0) + count
    })
    this.count += other.count
    this.max = Math.max(this.max, other.max)
  }

  /** Milliseconds below which this share lies, the upper end of its class; NaN of none. */
  quantile(share: number): number {
    if (this.count === 0) return NaN
    let left = Math.ceil(share * this.count)
    const place = this.counts.findIndex((count = 0) => (left -= count) <= 0)
    return Math.min(this.max, SHORTEST_MS * Math.exp(place * WIDTH))
  }
}

/** Where a page was scrolled to, kept by its entry in the browser's history. */
import { monotonicMs } from './clock.ts'

/** What a page takes to read what it shows. */
const RESTORE_MS = 5000

const tops = new Map<string, number>()
/** The one that is shown. */
let entry = ''

interface Kept {
  readonly entry?: string
  readonly top?: number
}
const kept = (): Kept => (history.state ?? {}) as Kept

/** The state of a new entry. */
export const nameOfEntry = (): Kept => ({ entry: crypto.randomUUID?.() ?? String(monotonicMs()) })

/** Once, when the page is loaded: a reloaded one goes on where it was. */
export function keepPlace(): void {
  history.scrollRestoration = 'manual'
  if (kept().entry === undefined) history.replaceState({ ...kept(), ...nameOfEntry() }, '')
  addEventListener('pagehide', () => {
    history.replaceState({ ...kept(), top: scrollY }, '')
  })
  arriveAt(true)
}

/** Before another entry is shown. */
export const leavePlace = (): void => { tops.set(entry, scrollY) }

/** A new entry begins at its top, or where it is said. */
export function arriveAt(isBack: boolean, start = 0): void {
  entry = kept().entry ?? ''
  const top = isBack ? tops.get(entry) ?? kept().top ?? 0 : start
  scrollTo(0, top)
  if (isBack && top > 0) scrollUntilThere(entry, top)
}

/** The page grows while it reads; whoever scrolls meanwhile goes on by themselves. */
function scrollUntilThere(of: string, top: number): void {
  const end = monotonicMs() + RESTORE_MS
  const own = new AbortController()
  for (const name of ['wheel', 'touchstart', 'keydown', 'pointerdown']) {
    addEventListener(name, () => own.abort(), { signal: own.signal, passive: true })
  }
  const look = (): void => {
    if (own.signal.aborted || entry !== of) return
    scrollTo(0, top)
    if (Math.abs(scrollY - top) < 1 || monotonicMs() > end) own.abort()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

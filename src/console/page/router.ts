/**
 * Addresses of the page: a link works as a link, and following one loads nothing. Each entry of the
 * browser's history keeps its scroll position.
 */
import { batch, signal } from '@preact/signals'
import { monotonicMs } from './format.ts'

const BASE = '/console'

const here = (): string => location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/'

/** Without /console: `/orders/AM…`. */
export const path = signal(here())
/** The query with its `?`; empty without one. */
export const query = signal(location.search)

export const href = (to: string): string => BASE + (to === '/' ? '' : to)

export function go(to: string, { replace = false } = {}): void {
  saveScroll()
  if (replace) history.replaceState(newEntry(), '', href(to))
  else history.pushState(newEntry(), '', href(to))
  showAddress()
}

/** Shows the same page with other values in its query; an empty value removes its name. */
export function changeQuery(changes: Readonly<Record<string, string>>): void {
  const params = new URLSearchParams(query.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  const next = params.size > 0 ? `?${params}` : ''
  if (next === location.search) return
  saveScroll()
  history.pushState(newEntry(), '', href(path.value) + next)
  query.value = next
  restoreScroll(false, scrollY)
}

/** A new page starts at its top with the focus on it; a revisited one where it was scrolled to. */
function showAddress(isBack = false): void {
  const isOther = path.value !== here()
  batch(() => {
    path.value = here()
    query.value = location.search
  })
  restoreScroll(isBack)
  if (!isOther && isBack) return
  requestAnimationFrame(() => document.getElementById('main')?.focus({ preventScroll: true }))
}

export function startRouter(): void {
  startScroll()
  addEventListener('popstate', () => {
    saveScroll()
    showAddress(true)
  })
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.defaultPrevented
      && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!isPlain || !link || link.target || link.hasAttribute('download')) return
    const { origin, pathname, search, hash } = new URL(link.href)
    const isOurs = origin === location.origin && (pathname + '/').startsWith(`${BASE}/`)
      && !pathname.startsWith(`${BASE}/api/`) && hash === ''
    if (!isOurs) return
    event.preventDefault()
    go((pathname.slice(BASE.length) || '/') + search)
  })
}

/** How long a page may take to load what it shows. */
const RESTORE_MS = 5000

const tops = new Map<string, number>()
/** The history entry that is shown. */
let entry = ''

interface EntryState {
  readonly entry?: string
  readonly top?: number
}
const entryState = (): EntryState => (history.state ?? {}) as EntryState

/** The state of a new entry. */
const newEntry = (): EntryState => ({ entry: crypto.randomUUID?.() ?? String(monotonicMs()) })

/** Once, when the page is loaded; a reload keeps the scroll position. */
function startScroll(): void {
  history.scrollRestoration = 'manual'
  if (entryState().entry === undefined) history.replaceState({ ...entryState(), ...newEntry() }, '')
  addEventListener('pagehide', () => {
    history.replaceState({ ...entryState(), top: scrollY }, '')
  })
  restoreScroll(true)
}

/** Called before another entry is shown. */
const saveScroll = (): void => { tops.set(entry, scrollY) }

/** A new entry starts at its top, or at `start`. */
function restoreScroll(isBack: boolean, start = 0): void {
  entry = entryState().entry ?? ''
  const top = isBack ? tops.get(entry) ?? entryState().top ?? 0 : start
  scrollTo(0, top)
  if (isBack && top > 0) scrollWhenLoaded(entry, top)
}

/** The page grows while it loads; scrolling by hand ends this. */
function scrollWhenLoaded(of: string, top: number): void {
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

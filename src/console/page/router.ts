/** Addresses of the page: links work as links, and nothing is loaded when one is followed. */
import { batch, signal } from '@preact/signals'
import { arriveAt, keepPlace, leavePlace, nameOfEntry } from './scroll.ts'

const BASE = '/console'

const here = (): string => location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/'

/** Without /console: `/orders/AM…`. */
export const path = signal(here())
/** What stands behind it: `?status=paid`, or nothing. */
export const query = signal(location.search)

export const href = (to: string): string => BASE + (to === '/' ? '' : to)

export function go(to: string, { replace = false } = {}): void {
  leavePlace()
  if (replace) history.replaceState(nameOfEntry(), '', href(to))
  else history.pushState(nameOfEntry(), '', href(to))
  arrive()
}

/** Shows the same page with other values in its query; empty ones leave it. */
export function changeQuery(changes: Readonly<Record<string, string>>): void {
  const params = new URLSearchParams(query.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  const next = params.size > 0 ? `?${params}` : ''
  if (next === location.search) return
  leavePlace()
  history.pushState(nameOfEntry(), '', href(path.value) + next)
  query.value = next
  arriveAt(false, scrollY)
}

/** Another page begins at its top, one that was left where it was left; so does the keyboard. */
function arrive(isBack = false): void {
  const isOther = path.value !== here()
  batch(() => {
    path.value = here()
    query.value = location.search
  })
  arriveAt(isBack)
  if (!isOther && isBack) return
  requestAnimationFrame(() => document.getElementById('main')?.focus({ preventScroll: true }))
}

export function startRouter(): void {
  keepPlace()
  addEventListener('popstate', () => {
    leavePlace()
    arrive(true)
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

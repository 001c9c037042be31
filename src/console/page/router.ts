/** Addresses of the page: links work as links, and nothing is loaded when one is followed. */
import { signal } from '@preact/signals'

const BASE = '/console'

const here = (): string => location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/'

/** Without /console: `/orders/AM…`. */
export const path = signal(here())

export const href = (to: string): string => BASE + (to === '/' ? '' : to)

export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href(to))
  else history.pushState(null, '', href(to))
  arrive()
}

/** As after loading a page: at its top, and the keyboard at its beginning. */
function arrive(): void {
  path.value = here()
  scrollTo(0, 0)
  requestAnimationFrame(() => document.getElementById('main')?.focus({ preventScroll: true }))
}

export function startRouter(): void {
  addEventListener('popstate', arrive)
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.defaultPrevented
      && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!isPlain || !link || link.target || link.hasAttribute('download')) return
    const { origin, pathname, hash } = new URL(link.href)
    const isOurs = origin === location.origin && (pathname + '/').startsWith(`${BASE}/`)
      && !pathname.startsWith(`${BASE}/api/`) && hash === ''
    if (!isOurs) return
    event.preventDefault()
    go(pathname.slice(BASE.length) || '/')
  })
}

/** Language and theme: the browser's own until a choice is made. */
import { effect, signal } from '@preact/signals'

const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const LANGUAGE = 'agentmall.language'
const THEME = 'agentmall.theme'

const oneOf = <T extends string>(values: readonly T[], given: string | null): T | undefined =>
  values.find((value) => value === given)

/** Null also where the browser has no storage. */
function kept(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

const browserLanguage = (): Language =>
  (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en')

export const language = signal<Language>(oneOf(LANGUAGES, kept(LANGUAGE)) ?? browserLanguage())
export const theme = signal<Theme>(oneOf(THEMES, kept(THEME)) ?? 'system')

/** Counts changes of the colours, for canvases, which have no styles. */
export const palette = signal(0)

export function chooseLanguage(next: Language): void {
  language.value = next
  keep(LANGUAGE, next)
}

export function chooseTheme(next: Theme): void {
  theme.value = next
  keep(THEME, next)
}

export function startPreferences(): void {
  const root = document.documentElement
  effect(() => { root.lang = language.value === 'zh' ? 'zh-CN' : 'en' })
  effect(() => {
    root.dataset['theme'] = theme.value
    palette.value = palette.peek() + 1
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    palette.value += 1
  })
}

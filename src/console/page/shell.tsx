import type { ComponentChildren } from 'preact'
import { t } from './i18n/text.ts'
import { Icon, type IconName } from './parts/icon.tsx'
import { chooseLanguage, chooseTheme, language, theme, THEMES } from './preferences.ts'
import { href, path } from './router.ts'
import { service } from './session.ts'

const PAGES = ['start', 'agents', 'live', 'webhooks', 'orders', 'earnings', 'account'] as const

/** Pages outside the console. */
const ELSEWHERE = [['docs', 'docs'], ['plugin', 'way.plugin']] as const

const THEME_ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const satisfies
  Record<(typeof THEMES)[number], IconName>

export const Brand = () => (
  <a class="brand" href={href('/')}>
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" /><path d="M9 12h14l-1.4 11H10.4zM12 12a4 4 0 0 1 8 0" />
    </svg>
    agentmall
  </a>
)

/** Says that money and parcels are simulated. */
export const SandboxBadge = () => (service.value?.sandbox
  ? <span class="status busy sandbox" title={t('sandbox.badge')}>{t('sandbox.name')}</span> : null)

export function Preferences() {
  const isChinese = language.value === 'zh'
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system'
  return (
    <div class="preferences">
      <button type="button" class="button quiet small" lang={isChinese ? 'en' : 'zh-CN'}
        onClick={() => chooseLanguage(isChinese ? 'en' : 'zh')}>
        {isChinese ? 'English' : '中文'}
      </button>
      <button type="button" class="button quiet small icon-only"
        aria-label={t('theme.next', { now: t(`theme.${theme.value}`), next: t(`theme.${next}`) })}
        title={t(`theme.${theme.value}`)}
        onClick={() => chooseTheme(next)}>
        <Icon name={THEME_ICONS[theme.value]} />
      </button>
    </div>
  )
}

/** The frame of every page with a session. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const [, first = ''] = path.value.split('/')
  const here = first === 'purchases' ? 'orders' : first || 'start'
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>{t('skip')}</a>
      <header class="side">
        <div class="top"><Brand /><SandboxBadge /></div>
        <nav class="menu" aria-label={t('menu')}>
          <ul>
            {PAGES.map((name) => (
              <li key={name}>
                <a href={href(name === 'start' ? '/' : `/${name}`)}
                  aria-current={name === here ? 'page' : undefined}>
                  <Icon name={name} /><span>{t(`page.${name}`)}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <p class="elsewhere">
          {ELSEWHERE.map(([name, words]) => (
            <a key={name} href={`/${name}?lang=${language.value}`} target="_blank" rel="noopener">
              {t(words)}<Icon name="external" />
            </a>
          ))}
        </p>
        <Preferences />
      </header>
      <main id="main" tabIndex={-1}>{children}</main>
    </div>
  )
}

function skip(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

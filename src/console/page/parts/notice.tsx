import type { ComponentChildren } from 'preact'
import type { Problem } from '../api.ts'
import { t, term } from '../i18n/text.ts'
import { English } from './english.tsx'
import { Icon } from './icon.tsx'

/** What went wrong in the page's language, and what the API says to do about it. */
export function ProblemNotice({ problem, retry }: {
  readonly problem: Problem | undefined
  readonly retry?: (() => unknown) | undefined
}) {
  if (!problem) return null
  return (
    <div class="notice problem" role="alert">
      <Icon name="warning" />
      <div>
        <p><strong>{reasonOf(problem)}</strong></p>
        {problem.hint !== '' && <p><English>{problem.hint}</English></p>}
        <Facts problem={problem} />
        {retry && <button type="button" class="button small" onClick={() => void retry()}>
          {t('retry')}</button>}
      </div>
    </div>
  )
}

/** The nearest that the page has words for; the API's own where it has none. */
function reasonOf({ error, message, facts: { why } }: Problem): ComponentChildren {
  for (const [group, word] of [['why', why], ['error', error]] as const) {
    if (typeof word === 'string' && term(group, word) !== word) return term(group, word)
  }
  return <English>{message}</English>
}

function Facts({ problem: { facts, fields } }: { readonly problem: Problem }) {
  const { retry_after_s: seconds } = facts
  return (
    <>
      {fields.map(({ path, problem }) => (
        <p key={path}><code>{path || 'input'}</code> <English>{problem}</English></p>
      ))}
      {typeof seconds === 'number' && <p>{t('retry_after', { n: seconds })}</p>}
    </>
  )
}

export const Notice = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="notice">{children}</div>
)

interface EmptyProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** Says what would be here, and how to get it. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

export const Loading = () => (
  <div class="loading" role="status">
    <span class="hidden">{t('loading')}</span>
    <div class="bone" /><div class="bone" /><div class="bone short" />
  </div>
)

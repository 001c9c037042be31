/** What a page shows beside data: problems, emptiness, and that data is being loaded. */
import type { ComponentChildren } from 'preact'
import type { Loaded, Problem } from '../api.ts'
import { problemText, t, term, type TextName } from '../i18n/text.ts'
import { Icon } from './icon.tsx'

/** By the name of an error: its text on this form. */
export type ErrorTexts = Readonly<Record<string, string>>

interface ProblemProps {
  readonly problem: Problem | undefined
  readonly texts?: ErrorTexts | undefined
  readonly retry?: (() => unknown) | undefined
}

/** What went wrong and what to do, in words of the page instead of the API's. */
export function ProblemNotice({ problem, texts = {}, retry }: ProblemProps) {
  if (!problem) return null
  const [reason, ...more] = sentencesOf(problem, texts)
  return (
    <div class="notice problem" role="alert">
      <Icon name="warning" />
      <div>
        <p><strong>{reason}</strong></p>
        {more.map((sentence) => <p key={sentence}>{sentence}</p>)}
        <Facts problem={problem} />
        {retry && <button type="button" class="button small" onClick={() => void retry()}>
          {t('retry')}</button>}
      </div>
    </div>
  )
}

/** Problems of fields that the form does not show are more precise than the error. */
function sentencesOf(problem: Problem, texts: ErrorTexts): readonly string[] {
  const own = texts[problem.error]
  const ofFields = problem.fields.map((field) => problemText(field.problem))
  if (own !== undefined || ofFields.length === 0) return [own ?? reasonOf(problem)]
  return [...new Set(ofFields)]
}

/** Limits that people reach, by the prefix of the policy's name. */
const LIMITS: readonly (readonly [begin: string, TextName])[] = [
  ['sign-in', 'limited.passwords'], ['password', 'limited.passwords'], ['mail', 'limited.mails'],
  ['register', 'limited.accounts'], ['binding', 'limited.codes'],
]

/** The most precise reason that the page has a text for. */
function reasonOf({ error, facts: { why, policy } }: Problem): string {
  const limit = LIMITS.find(([begin]) => String(policy).startsWith(begin))
  if (error === 'rate_limited' && limit) return t(limit[1])
  for (const [group, word] of [['why', why], ['error', error]] as const) {
    if (typeof word === 'string' && term(group, word) !== word) return term(group, word)
  }
  return t('error.internal')
}

const MINUTE_S = 60

function Facts({ problem: { error, facts } }: { readonly problem: Problem }) {
  const { retry_after_s: seconds, request_id: id } = facts
  return (
    <>
      {typeof seconds === 'number' && (
        <p>{seconds < 2 * MINUTE_S ? t('retry_after', { n: seconds })
          : t('retry_after.minutes', { n: Math.ceil(seconds / MINUTE_S) })}</p>
      )}
      {error === 'internal' && typeof id === 'string' && (
        <p class="soft">{t('error.report')} <code>{id}</code></p>
      )}
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

/** Says what a list would show, and how to fill it. */
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

interface ShowProps<T> {
  readonly from: Loaded<T>
  children(data: T): ComponentChildren
}

/** The loaded data; before it a placeholder, or the problem with a retry. */
export function Show<T>({ from: { data, problem, reload }, children }: ShowProps<T>) {
  return (
    <>
      <ProblemNotice problem={problem} retry={reload} />
      {data !== undefined ? children(data) : !problem && <Loading />}
    </>
  )
}

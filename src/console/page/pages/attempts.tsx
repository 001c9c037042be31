/** Attempts to deliver events: the log of an endpoint, and that of an order. */
import { useEffect, useState } from 'preact/hooks'
import { call, useAction, useEvery, useLoad, useSoon } from '../api.ts'
import { count, momentExact, nowMs } from '../format.ts'
import { problemText, t } from '../i18n/text.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, Form, problemOf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { ProblemNotice, Show } from '../parts/notice.tsx'
import { Section, Status } from '../parts/page.tsx'
import { href } from '../router.ts'
import type { Hook, HookAttempt, HookAttempts, OrderAttempt } from '../types.ts'

const PAGE_SIZE = 20
const EVERY_MS = 10_000
const ORDER_NO = /^AM[0-9A-Z]{18}$/
const CHALLENGE = 'webhook.challenge'

interface AttemptsProps {
  readonly hook: Hook
  readonly everyMs: number
}

/** The log of an endpoint, in pages, the newest first. */
export function Attempts({ hook: { webhook_id: id, state }, everyMs }: AttemptsProps) {
  const [cursor, setCursor] = useState('')
  const [isOpen, setOpen] = useState(false)
  const attempts = useLoad(() => call<HookAttempts>('GET',
    `/webhooks/${id}/attempts?limit=${PAGE_SIZE}${cursor && `&cursor=${cursor}`}`), [cursor],
  { isKept: true })
  useEvery(everyMs, attempts.reload)
  const isActive = state === 'active'
  return (
    <Section title={t('attempts.title')} lead={t('attempts.lead')} actions={
      <button type="button" class="button small" disabled={!isActive}
        onClick={() => setOpen(true)}>{t('attempts.resend_all')}</button>
    }>
      <Show from={attempts}>
        {({ attempts: list, next_cursor: next }) => (
          <>
            {list.length === 0 ? <p class="card soft">{t('attempts.none')}</p>
              : <AttemptList attempts={list.map((one) => ({ ...one, webhook_id: id }))}
                isResendable={isActive} onResent={attempts.reload} />}
            <div class="paging">
              {cursor !== '' && <button type="button" class="button small"
                onClick={() => setCursor('')}><Icon name="left" />{t('attempts.newest')}</button>}
              {next !== undefined && <button type="button" class="button small"
                onClick={() => setCursor(next)}>{t('attempts.older')}<Icon name="right" /></button>}
            </div>
          </>
        )}
      </Show>
      {isOpen && <ResendAll id={id} onDone={attempts.reload} onClose={() => setOpen(false)} />}
    </Section>
  )
}

interface OrderAttemptsProps {
  readonly orderNo: string
  /** Of the order: another one is told of soon. */
  readonly steps: number
}

/** What was sent about an order, once something was. */
export function OrderAttempts({ orderNo, steps }: OrderAttemptsProps) {
  const attempts = useLoad(() => call<{ attempts: OrderAttempt[] }>('GET',
    `/orders/${encodeURIComponent(orderNo)}/attempts`))
  const readAgain = useSoon(attempts.reload)
  useEffect(readAgain, [steps])
  useEvery(EVERY_MS, attempts.reload)
  const list = attempts.data?.attempts ?? []
  if (list.length === 0) return null
  return (
    <Section title={t('attempts.order')} lead={t('attempts.lead')}>
      <AttemptList attempts={list} isResendable onResent={attempts.reload} />
    </Section>
  )
}

type Shown = HookAttempt & { readonly webhook_id: string, readonly url?: string }

interface ListProps {
  readonly attempts: readonly Shown[]
  readonly isResendable: boolean
  onResent(): Promise<void>
}

function AttemptList({ attempts, isResendable, onResent }: ListProps) {
  const [sent, setSent] = useState('')
  const action = useAction(async ({ webhook_id: id, event_id: event }: Shown) => {
    setSent('')
    await call('POST', `/webhooks/${id}/events/${event}/resend`)
    setSent(event)
    await onResent()
  })
  return (
    <>
      <ProblemNotice problem={action.problem}
        texts={{ invalid_request: t('attempts.inactive'), webhook_limit: t('attempts.full') }} />
      <p class="soft" role="status">{sent !== '' && t('attempts.resent', { id: sent })}</p>
      <ol class="attempts card">
        {attempts.map((one) => (
          <li key={`${one.webhook_id} ${one.attempt_id}`}>
            <Status group="outcome" word={one.outcome} />
            <AttemptText attempt={one} />
            {isResendable && one.type !== CHALLENGE && (
              <button type="button" class="button small" aria-disabled={action.isBusy}
                aria-label={`${t('attempts.resend')}: ${one.type} ${one.event_id}`}
                onClick={() => void action.run(one)}>{t('attempts.resend')}</button>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}

/** The answer is whatever a receiver sent: it is shown as text, apart from ours. */
function AttemptText({ attempt }: { readonly attempt: Shown }) {
  const { type, subject, at, status, ms, problem, answer, url, webhook_id: id } = attempt
  return (
    <div>
      <p>
        <code>{type}</code>
        {url === undefined && ORDER_NO.test(subject)
          && <> <a href={href(`/orders/${subject}`)}><code>{subject}</code></a></>}
      </p>
      {url !== undefined && <p><a href={href(`/webhooks/${id}`)}>{url}</a></p>}
      <p class="soft">
        <time dateTime={at}>{momentExact(at)}</time>
        {` · ${status === undefined ? t('attempts.no_answer') : `HTTP ${status}`}`
          + ` · ${count(ms)} ms`}
        {attempt.attempt > 1 && ` · ${t('attempts.number', { n: attempt.attempt })}`}
      </p>
      {problem !== undefined && <p class="field-problem">{problemText(problem)}</p>}
      {answer !== undefined && (
        <details>
          <summary>{t('attempts.answer')}</summary>
          <pre tabIndex={0} role="region" aria-label={t('attempts.answer')}>
            <code>{answer}</code></pre>
        </details>
      )}
    </div>
  )
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const KEPT_DAYS = 7

/** As a browser's field for a time has it, in the zone of the browser. */
function inputTime(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 'YYYY-MM-DDThh:mm'.length)
}

interface ResendAllProps {
  readonly id: string
  onDone(): void
  onClose(): void
}

/** Asks since when, and says how many are on their way. */
function ResendAll({ id, onDone, onClose }: ResendAllProps) {
  const [since, setSince] = useState(() => inputTime(nowMs() - HOUR_MS))
  const [queued, setQueued] = useState<number>()
  const isWrong = Number.isNaN(Date.parse(since))
  const action = useAction(async () => {
    const answer = await call<{ queued: number }>('POST', `/webhooks/${id}/resend`,
      { since: new Date(since).toISOString() })
    setQueued(answer.queued)
  })
  return (
    <Dialog title={t('attempts.resend_all')} onClose={onClose}>
      {queued !== undefined
        ? (
          <>
            <p role="status">{t('attempts.queued', { n: count(queued) })}</p>
            <div class="actions">
              <button type="button" class="button primary" onClick={onClose}>{t('close')}</button>
            </div>
          </>
        )
        : (
          <Form action={action} submit={t('attempts.resend')} fields={['since']}
            texts={{ invalid_request: t('attempts.inactive'), webhook_limit: t('attempts.full') }}
            check={() => !isWrong} onDone={onDone} onCancel={onClose}>
            <p>{t('attempts.resend_all.lead')}</p>
            <Field label={t('attempts.since')}
              problem={(isWrong && t('missing')) || problemOf(action.problem, 'since')}>
              {(attributes) => (
                <input {...attributes} type="datetime-local" value={since} required
                  min={inputTime(nowMs() - KEPT_DAYS * DAY_MS)} max={inputTime(nowMs())}
                  onInput={(event) => setSince(event.currentTarget.value)} />
              )}
            </Field>
          </Form>
        )}
    </Dialog>
  )
}

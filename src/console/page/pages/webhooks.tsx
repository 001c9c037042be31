/** Webhooks of the account: the list of its endpoints, and one of them with its log. */
import { useState } from 'preact/hooks'
import { call, useAction, useEvery, useLoad } from '../api.ts'
import { ago, count, date, moment } from '../format.ts'
import { t, term } from '../i18n/text.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, ProblemNotice, Show } from '../parts/notice.tsx'
import { Page, Status } from '../parts/page.tsx'
import { language } from '../preferences.ts'
import { go, href } from '../router.ts'
import { newSecret } from '../session.ts'
import type { Agent, Hook } from '../types.ts'
import { Attempts } from './attempts.tsx'
import {
  HOOKS_MAX, RotateSecret, SecretShown, UnsavedSecret, WebhookForm,
} from './webhook-forms.tsx'

/** How often the page reads again: soon while an answer of the receiver is expected. */
const SOON_MS = 1500
const LATER_MS = 10_000

const isExpecting = ({ state, waiting, failing_since: failing }: Hook): boolean =>
  failing === undefined && (state === 'unproven' || waiting > 0)

const useLabels = (): ReadonlyMap<string, string> => {
  const agents = useLoad(() => call<{ agents: Agent[] }>('GET', '/agents'))
  return new Map(agents.data?.agents.map(({ agent, label }) => [agent, label]))
}

export function WebhooksPage() {
  const hooks = useLoad(() => call<{ webhooks: Hook[] }>('GET', '/webhooks'))
  const labels = useLabels()
  const list = hooks.data?.webhooks ?? []
  useEvery(list.some(isExpecting) ? SOON_MS : LATER_MS, hooks.reload)
  const [isOpen, setOpen] = useState(false)
  const create = (
    <button type="button" class="button primary" onClick={() => setOpen(true)}
      disabled={list.length >= HOOKS_MAX}>{t('webhooks.create')}</button>
  )
  return (
    <Page title={t('page.webhooks')} lead={t('webhooks.lead', { n: HOOKS_MAX })} actions={
      <>
        <a class="button" href={`/docs?lang=${language.value}#group-webhooks`} target="_blank"
          rel="noopener">{t('webhooks.docs')}<Icon name="external" /></a>
        {create}
      </>
    }>
      {newSecret.value && <UnsavedSecret />}
      <Show from={hooks}>
        {({ webhooks }) => webhooks.length === 0
          ? (
            <Empty title={t('webhooks.none')}>
              <Icon name="webhooks" />
              <p>{t('webhooks.none.lead')}</p>
              {create}
            </Empty>
          )
          : webhooks.map((hook) => (
            <HookCard key={hook.webhook_id} hook={hook} labels={labels} onChange={hooks.reload}
              onGone={hooks.reload} isListed />
          ))}
      </Show>
      {isOpen && <WebhookForm onDone={hooks.reload} onClose={() => setOpen(false)} />}
    </Page>
  )
}

export function WebhookPage({ id }: { readonly id: string }) {
  const hook = useLoad(() => call<Hook>('GET', `/webhooks/${encodeURIComponent(id)}`))
  const labels = useLabels()
  const everyMs = hook.data && isExpecting(hook.data) ? SOON_MS : LATER_MS
  useEvery(everyMs, hook.reload)
  return (
    <Page title={t('webhooks.one')} actions={
      <a class="button" href={href('/webhooks')}><Icon name="left" />{t('webhooks.back')}</a>}>
      {newSecret.value && <UnsavedSecret />}
      <Show from={hook}>
        {(data) => (
          <>
            <HookCard hook={data} labels={labels} onChange={hook.reload}
              onGone={() => go('/webhooks')} />
            <Attempts hook={data} everyMs={everyMs} />
          </>
        )}
      </Show>
    </Page>
  )
}

interface HookProps {
  readonly hook: Hook
  readonly labels: ReadonlyMap<string, string>
  readonly isListed?: boolean
  onChange(): void
  onGone(): void
}

type Open = 'edit' | 'rotate' | 'rotated' | 'disable' | 'delete'

function HookCard({ hook, labels, isListed = false, onChange, onGone }: HookProps) {
  const { webhook_id: id, url, state } = hook
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const button = (name: Open, text: string, kind = '') => (
    <button type="button" class={`button small ${kind}`} onClick={() => setOpen(name)}
      aria-label={`${text}: ${url}`}>{text}</button>
  )
  return (
    <article class="card agent hook">
      <header>
        <div>
          <h2>
            {isListed ? <a href={href(`/webhooks/${id}`)}>{url}</a> : url}
            {' '}<Status group="webhook_state" word={state} />
          </h2>
          <p class="soft"><code>{id}</code> · {t('since', { date: date(hook.created_at) })}</p>
        </div>
        <div class="actions">
          <Act hook={hook} onChange={onChange} />
          {button('edit', t('webhooks.edit'))}
          {button('rotate', t('webhooks.rotate'))}
          {state !== 'disabled' && button('disable', t('webhooks.disable'))}
          {button('delete', t('webhooks.delete'), 'danger')}
        </div>
      </header>
      <Says hook={hook} />
      <ul class="chips" aria-label={t('webhooks.events')}>
        {chipsOf(hook, labels).map((text) => <li key={text}>{text}</li>)}
      </ul>
      <p class="soft">{[
        `${t('webhooks.succeeded')} ${hook.succeeded_at ? ago(hook.succeeded_at) : t('never')}`,
        `${t('webhooks.failed')} ${hook.failed_at ? ago(hook.failed_at) : t('never')}`,
        t('webhooks.waiting', { n: count(hook.waiting) }),
      ].join(' · ')}</p>
      {isListed && <p class="links"><a href={href(`/webhooks/${id}`)}>
        {t('attempts.title')}<span class="hidden"> {url}</span></a></p>}
      {open === 'edit' && <WebhookForm hook={hook} onDone={onChange} onClose={close} />}
      {open === 'rotate' && (
        <RotateSecret hook={hook} onDone={() => setOpen('rotated')} onClose={close} />
      )}
      {open === 'rotated' && <SecretShown onClose={close} />}
      {open === 'disable' && (
        <Sure name="disable" url={url} onDone={onChange} onClose={close}
          work={() => call('PATCH', `/webhooks/${id}`, { enabled: false })} />
      )}
      {open === 'delete' && (
        <Sure name="delete" url={url} onDone={onGone} onClose={close}
          work={() => call('DELETE', `/webhooks/${id}`)} />
      )}
    </article>
  )
}

interface SureProps {
  readonly name: 'disable' | 'delete'
  readonly url: string
  work(): Promise<unknown>
  onDone(): void
  onClose(): void
}

const Sure = ({ name, url, work, onDone, onClose }: SureProps) => (
  <Confirm title={t(`webhooks.${name}.sure`)} submit={t(`webhooks.${name}`)} work={work}
    onDone={() => {
      onClose()
      onDone()
    }} onClose={onClose}>
    <p><code>{url}</code></p>
    <p>{t(`webhooks.${name}.lead`)}</p>
  </Confirm>
)

function chipsOf({ events, agents, agent }: Hook, labels: ReadonlyMap<string, string>): string[] {
  const whose = agent === undefined ? agents : [agent]
  return [
    ...events.map((name) => (name === '*' ? t('webhooks.events.all') : name)),
    ...whose?.map((one) => t('webhooks.of', { name: labels.get(one) ?? one })) ?? [],
  ]
}

/** Why nothing is sent, or what fails. */
function Says({ hook: { state, reason, failing_since: since } }: { readonly hook: Hook }) {
  const text = state === 'disabled'
    ? (reason ? term('webhook_reason', reason) : t('webhooks.by_hand'))
    : since !== undefined ? t('webhooks.failing', { time: moment(since) })
      : state === 'unproven' ? t('webhooks.unproven') : undefined
  return text === undefined ? null
    : <p class="warning-text"><Icon name="warning" /> <span>{text}</span></p>
}

/** Sends a test or the challenge; enables again what was disabled. */
function Act({ hook: { webhook_id: id, url, state }, onChange }: Pick<HookProps,
  'hook' | 'onChange'>) {
  const [isSent, setSent] = useState(false)
  const action = useAction(async () => {
    setSent(false)
    if (state === 'disabled') await call('PATCH', `/webhooks/${id}`, { enabled: true })
    else await call('POST', `/webhooks/${id}/test`)
    setSent(true)
    onChange()
  })
  const text = t(state === 'disabled' ? 'webhooks.enable'
    : state === 'active' ? 'webhooks.test' : 'webhooks.prove')
  return (
    <>
      <button type="button" class={`button small ${state === 'disabled' ? 'primary' : ''}`}
        aria-label={`${text}: ${url}`} aria-disabled={action.isBusy}
        onClick={() => void action.run()}>{action.isBusy ? t('working') : text}</button>
      <span class="hidden" role="status">{isSent && t('webhooks.sent')}</span>
      <ProblemNotice problem={action.problem} />
    </>
  )
}

/** Agents of the account with their keys and limits. */
import { useState } from 'preact/hooks'
import { call, useAction, useLoad } from '../api.ts'
import { ago, date, fenOf, moment, yuan, yuanInput } from '../format.ts'
import { t } from '../i18n/text.ts'
import { Confirm, Dialog } from '../parts/dialog.tsx'
import { Form, problemOf, TextField } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, Show } from '../parts/notice.tsx'
import { Page, Status } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { language } from '../preferences.ts'
import { newKey, service } from '../session.ts'
import type { Agent, AgentKey, AgentLimits } from '../types.ts'
import {
  type AgentDialogProps, AGENTS_MAX, CreateAgent, KeyShown, Rotate, UnsavedKey,
} from './agent-keys.tsx'

export function AgentsPage() {
  const agents = useLoad(() => call<{ agents: Agent[] }>('GET', '/agents'))
  const [open, setOpen] = useState<'create' | 'bind'>()
  const close = (): void => setOpen(undefined)
  const create = (
    <button type="button" class="button primary" onClick={() => setOpen('create')}>
      {t('agents.create')}</button>
  )
  return (
    <Page title={t('page.agents')} lead={t('agents.lead', { n: AGENTS_MAX })} actions={
      <>
        <button type="button" class="button" onClick={() => setOpen('bind')}>
          {t('agents.bind')}</button>
        {create}
      </>
    }>
      {newKey.value && <UnsavedKey />}
      <Show from={agents}>
        {({ agents: list }) => list.length === 0
          ? (
            <Empty title={t('agents.none')}>
              <Icon name="agents" />
              <p>{t('agents.none.lead')}</p>
              {create}
            </Empty>
          )
          : list.map((agent) => (
            <AgentCard key={agent.agent} agent={agent} onChange={agents.reload} />
          ))}
      </Show>
      {open === 'create' && (
        <CreateAgent taken={(agents.data?.agents ?? []).map(({ label }) => label)}
          onDone={agents.reload} onClose={close} />
      )}
      {open === 'bind' && <Bind onDone={agents.reload} onClose={close} />}
    </Page>
  )
}

function Bind({ onDone, onClose }: { onDone(): void, onClose(): void }) {
  const [code, setCode] = useState('')
  const action = useAction(() => call('POST', '/bindings', { binding_code: code.trim() }))
  return (
    <Dialog title={t('agents.bind')} onClose={onClose}>
      <Form action={action} submit={t('agents.bind.submit')} fields={['binding_code']}
        texts={{ not_found: t('agents.bind.unknown') }}
        check={() => code.trim() !== ''}
        onDone={() => {
          onDone()
          onClose()
        }} onCancel={onClose}>
        <p>{t('agents.bind.lead')}</p>
        <TextField label={t('agents.bind.code')} value={code} maxLength={64} onChange={setCode}
          problem={problemOf(action.problem, 'binding_code')} />
      </Form>
    </Dialog>
  )
}

interface AgentProps {
  readonly agent: Agent
  onChange(): void
}

type Open = 'rename' | 'rotate' | 'rotated' | 'limits' | 'delete'

function AgentCard({ agent, onChange }: AgentProps) {
  const { agent: id, label, tier, created_at } = agent
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const done = (): void => {
    close()
    onChange()
  }
  const button = (name: Open, text: string, kind = '') => (
    <button type="button" class={`button small ${kind}`} onClick={() => setOpen(name)}
      aria-label={`${text}: ${label}`}>{text}</button>
  )
  return (
    <article class="card agent">
      <header>
        <div>
          <h2>{label} <span class="status calm" title={t('tier')}>{tier}</span></h2>
          <p class="soft"><code>{id}</code> · {t('since', { date: date(created_at) })}</p>
        </div>
        <div class="actions">
          {button('rotate', t('agents.rotate'))}
          {button('limits', t('agents.limits'))}
          {button('rename', t('agents.rename'))}
          {button('delete', t('agents.delete'), 'danger')}
        </div>
      </header>
      <LimitsSummary limits={agent.limits} />
      <Keys agent={agent} onChange={onChange} />
      {open === 'rename' && <Rename agent={agent} onDone={done} onClose={close} />}
      {open === 'limits' && <Limits agent={agent} onDone={done} onClose={close} />}
      {open === 'rotate' && <Rotate agent={agent} onClose={close} onDone={() => {
        onChange()
        setOpen('rotated')
      }} />}
      {open === 'rotated' && <KeyShown onClose={close} />}
      {open === 'delete' && (
        <Confirm title={t('agents.delete.sure', { name: label })} submit={t('agents.delete')}
          work={() => call('DELETE', `/agents/${id}`)} onDone={done} onClose={close}>
          <p>{t('agents.delete.lead')}</p>
        </Confirm>
      )}
    </article>
  )
}

function Keys({ agent: { agent, keys }, onChange }: AgentProps) {
  const [revoking, setRevoking] = useState<AgentKey>()
  const rows = keys.map((key) => ({
    key: key.key_id,
    cells: [
      <code>{key.prefix}…</code>,
      <><Status group="key_state" word={key.state} />
        {key.ends_at && key.state === 'ending'
          && <span class="soft"> {t('until', { time: moment(key.ends_at) })}</span>}</>,
      moment(key.created_at),
      key.last_used_at ? ago(key.last_used_at) : <span class="soft">{t('never')}</span>,
      key.state === 'revoked' ? '' : (
        <button type="button" class="button small" onClick={() => setRevoking(key)}
          aria-label={`${t('agents.revoke')}: ${key.prefix}`}>{t('agents.revoke')}</button>
      ),
    ],
  }))
  return (
    <>
      <Table caption={t('agents.keys')} rows={rows} head={[
        t('key'), t('status'), t('created'), t('last_used'), '',
      ]} />
      {revoking && (
        <Confirm title={t('agents.revoke.sure', { key: revoking.prefix })}
          submit={t('agents.revoke')}
          work={() => call('DELETE', `/agents/${agent}/keys/${revoking.key_id}`)}
          onDone={() => {
            setRevoking(undefined)
            onChange()
          }}
          onClose={() => setRevoking(undefined)}>
          <p>{t('agents.revoke.lead')}</p>
        </Confirm>
      )}
    </>
  )
}


const AMOUNTS = ['order_amount_max', 'day_amount_max', 'user_ref_day_amount_max'] as const
type Amount = (typeof AMOUNTS)[number]

const categoryName = (id: number): string => {
  const found = service.value?.categories.find(({ category_id }) => category_id === id)
  return found?.[language.value] ?? String(id)
}

function LimitsSummary({ limits }: { readonly limits: AgentLimits }) {
  const shown = [
    ...(limits.read_only ? [t('limits.read_only')] : []),
    ...AMOUNTS.flatMap((name) => {
      const fen = limits[name]
      return fen === undefined ? [] : [`${t(`limits.${name}.short`)} ${yuan(fen)}`]
    }),
    ...(limits.categories
      ? [`${t('limits.categories.short')}: ${limits.categories.map(categoryName).join(', ')}`]
      : []),
  ]
  if (shown.length === 0) return <p class="soft">{t('limits.none')}</p>
  return <ul class="chips" aria-label={t('agents.limits')}>
    {shown.map((text) => <li key={text}>{text}</li>)}</ul>
}

/** Amounts are typed in yuan and sent in fen. */
function Limits({ agent: { agent, label, limits }, onDone, onClose }: AgentDialogProps) {
  const [amounts, setAmounts] = useState(Object.fromEntries(
    AMOUNTS.map((name) => [name, yuanInput(limits[name])])) as Record<Amount, string>)
  const [isReadOnly, setReadOnly] = useState(limits.read_only ?? false)
  const [categories, setCategories] = useState(new Set(limits.categories))
  const [isChecked, setChecked] = useState(false)
  const isWrong = (name: Amount): boolean =>
    amounts[name].trim() !== '' && fenOf(amounts[name]) === undefined
  const action = useAction(() => call('PUT', `/agents/${agent}/limits`, {
    limits: {
      ...Object.fromEntries(AMOUNTS.filter((name) => amounts[name].trim() !== '')
        .map((name) => [name, fenOf(amounts[name])])),
      ...(categories.size > 0 && { categories: [...categories].toSorted((a, b) => a - b) }),
      ...(isReadOnly && { read_only: true }),
    },
  }))
  const toggle = (id: number): void => {
    setCategories((chosen) => new Set(
      chosen.has(id) ? [...chosen].filter((other) => other !== id) : [...chosen, id]))
  }
  return (
    <Dialog title={t('limits.title', { name: label })} onClose={onClose}>
      <Form action={action} submit={t('save')} onDone={onDone} onCancel={onClose}
        fields={AMOUNTS.map((name) => `limits.${name}`)}
        check={() => {
          setChecked(true)
          return !AMOUNTS.some(isWrong)
        }}>
        <p class="soft">{t('limits.lead')}</p>
        {AMOUNTS.map((name) => (
          <TextField key={name} label={t(`limits.${name}`)} isOptional inputMode="decimal"
            suffix="CNY" value={amounts[name]}
            onChange={(value) => setAmounts((all) => ({ ...all, [name]: value }))}
            problem={(isChecked && isWrong(name) && t('amount.wrong'))
              || problemOf(action.problem, `limits.${name}`)} />
        ))}
        <label class="check">
          <input type="checkbox" checked={isReadOnly}
            onChange={(event) => setReadOnly(event.currentTarget.checked)} />
          <span>{t('limits.read_only.long')}</span>
        </label>
        <fieldset>
          <legend>{t('limits.categories')}</legend>
          <p class="field-hint">{t('limits.categories.hint')}</p>
          <div class="checks">
            {service.value?.categories.map(({ category_id: id }) => (
              <label class="check" key={id}>
                <input type="checkbox" checked={categories.has(id)} onChange={() => toggle(id)} />
                <span>{categoryName(id)}</span>
              </label>
            ))}
          </div>
        </fieldset>
      </Form>
    </Dialog>
  )
}

function Rename({ agent: { agent, label: old }, onDone, onClose }: AgentDialogProps) {
  const [label, setLabel] = useState(old)
  const action = useAction(() => call('PATCH', `/agents/${agent}`, { label: label.trim() }))
  return (
    <Dialog title={t('agents.rename')} onClose={onClose}>
      <Form action={action} submit={t('save')} fields={['label']}
        check={() => label.trim() !== ''} onDone={onDone} onCancel={onClose}>
        <TextField label={t('agents.label')} value={label} maxLength={60} onChange={setLabel}
          problem={(label.trim() === '' && t('missing')) || problemOf(action.problem, 'label')} />
      </Form>
    </Dialog>
  )
}

import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { ago, date, moment } from '../../format.ts'
import { t } from '../../i18n/text.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import type { Agent, AgentKey } from '../../types.ts'
import { Limits, LimitsSummary } from './limits.tsx'
import { KeyShown } from './new-key.tsx'
import { Rename } from './rename.tsx'
import { Rotate } from './rotate.tsx'

interface AgentProps {
  readonly agent: Agent
  onChange(): void
}

type Open = 'rename' | 'rotate' | 'rotated' | 'limits' | 'delete'

export function AgentCard({ agent, onChange }: AgentProps) {
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

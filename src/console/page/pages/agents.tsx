import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { t } from '../i18n/text.ts'
import { Dialog } from '../parts/dialog.tsx'
import { problemOf, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Show } from '../parts/loaded.tsx'
import { Empty } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { newKey } from '../session.ts'
import type { Agent } from '../types.ts'
import { useAction, useLoad } from '../use-load.ts'
import { AgentCard } from './agents/agent-card.tsx'
import { AGENTS_MAX, CreateAgent } from './agents/create-agent.tsx'
import { UnsavedKey } from './agents/new-key.tsx'

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

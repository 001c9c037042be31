/** Who calls in the examples: an agent of the account, or whoever a pasted key belongs to. */
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { t } from '../../i18n/text.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Show } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { apiKey, chosenAgent, newKey, pastedKey } from '../../session.ts'
import type { Agent } from '../../types.ts'
import { useAction, useLoad } from '../../use-load.ts'
import { AGENTS_MAX, createAgent, CreateAgent } from '../agents/create-agent.tsx'
import { KeyShown, UnsavedKey } from '../agents/new-key.tsx'
import { Rotate } from '../agents/rotate.tsx'

export function YourAgent() {
  const agents = useLoad(() => call<{ agents: Agent[] }>('GET', '/agents'))
  const list = agents.data?.agents
  useEffect(() => {
    if (!list || list.some(({ agent }) => agent === chosenAgent.value)) return
    chosenAgent.value = list[0]?.agent
  }, [list])
  return (
    <div class="card key">
      <Show from={agents}>
        {({ agents: known }) => (known.length === 0 ? <First onMade={agents.reload} />
          : <Chosen agents={known} onChange={agents.reload} />)}
      </Show>
      <OtherKey />
    </div>
  )
}

/** One press for the first agent and its key. */
function First({ onMade }: { onMade(): Promise<void> }) {
  const action = useAction(() => createAgent(t('agents.first')))
  const [isShown, setShown] = useState(false)
  return (
    <>
      <p>{t('start.first')}</p>
      <p class="actions">
        <button type="button" class="button primary" aria-disabled={action.isBusy}
          onClick={() => void action.run().then(setShown)}>
          {action.isBusy ? t('working') : t('key.create')}</button>
      </p>
      <ProblemNotice problem={action.problem} />
      {isShown && <KeyShown onClose={() => void onMade()} />}
    </>
  )
}

interface ChosenProps {
  readonly agents: readonly Agent[]
  onChange(): Promise<void>
}

function Chosen({ agents, onChange }: ChosenProps) {
  const [open, setOpen] = useState<'create' | 'rotate' | 'rotated'>()
  const close = (): void => setOpen(undefined)
  const chosen = agents.find(({ agent }) => agent === chosenAgent.value) ?? agents[0] as Agent
  const isFull = agents.length >= AGENTS_MAX
  return (
    <>
      <div class="key-row">
        <SelectField label={t('start.agent')} value={chosen.agent}
          onChange={(agent) => {
            chosenAgent.value = agent
            pastedKey.value = ''
          }}
          options={agents.map(({ agent, label }) => [agent, label] as const)} />
        <div class="actions">
          <button type="button" class="button" onClick={() => setOpen('rotate')}>
            {t('key.another')}</button>
          {!isFull && <button type="button" class="button" onClick={() => setOpen('create')}>
            {t('agents.new')}</button>}
          <a class="button" href="/console/agents">{t('key.manage')}</a>
        </div>
      </div>
      <p class="field-hint">{pastedKey.value !== '' ? t('start.pasted')
        : apiKey.value !== '' ? t('start.with_key', { name: chosen.label })
          : t('start.with_session', { name: chosen.label })}</p>
      {newKey.value && open === undefined && <UnsavedKey />}
      {open === 'create' && (
        <CreateAgent taken={agents.map(({ label }) => label)} onDone={onChange} onClose={close} />
      )}
      {open === 'rotate' && (
        <Rotate agent={chosen} onDone={() => setOpen('rotated')} onClose={close} />
      )}
      {open === 'rotated' && <KeyShown onClose={close} />}
    </>
  )
}

/** Of another account, or kept from before. No password field: browsers would fill it in. */
const OtherKey = () => (
  <details>
    <summary>{t('key.other')}</summary>
    <TextField label={t('key.yours')} isMasked value={pastedKey.value} placeholder="ak_…"
      hint={t('key.memory')} isOptional
      onChange={(value) => { pastedKey.value = value.trim() }} />
  </details>
)

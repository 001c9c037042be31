/** Dialogs that create an agent or rotate its key, and show the new key once. */
import { useState } from 'preact/hooks'
import { call, useAction } from '../api.ts'
import { t } from '../i18n/text.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Form, problemOf, SelectField, TextField } from '../parts/form.tsx'
import { SecretDialog, Unsaved } from '../parts/secret.tsx'
import { keepNewKey, newKey } from '../session.ts'
import type { Agent, CreatedAgent, RotatedKey } from '../types.ts'

export const AGENTS_MAX = 5

export async function createAgent(label: string): Promise<void> {
  const { agent, api_key: key } = await call<CreatedAgent>('POST', '/agents', { label })
  keepNewKey({ agent, label, key })
}

/** "Agent 2", or the first number after it that no agent has. */
function freeName(taken: readonly string[]): string {
  const names = new Set(taken)
  let number = names.size + 1
  while (names.has(t('agents.numbered', { n: number }))) number += 1
  return t('agents.numbered', { n: number })
}

interface CreateProps {
  /** Names of the agents that there are. */
  readonly taken: readonly string[]
  onDone(): void
  onClose(): void
}

/** Asks for a name, then shows the key. */
export function CreateAgent({ taken, onDone, onClose }: CreateProps) {
  const [label, setLabel] = useState(() => freeName(taken))
  const [isMade, setMade] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const action = useAction(() => createAgent(label.trim()))
  const wrong = label.trim() === '' ? t('missing')
    : taken.includes(label.trim()) ? t('agents.label.taken') : undefined
  if (isMade) return <KeyShown onClose={onClose} />
  return (
    <Dialog title={t('agents.create')} onClose={onClose}>
      <Form action={action} submit={t('agents.create.submit')} fields={['label']}
        check={() => {
          setChecked(true)
          return !wrong
        }}
        onDone={() => {
          onDone()
          setMade(true)
        }} onCancel={onClose}>
        <TextField label={t('agents.label')} value={label} maxLength={60} onChange={setLabel}
          hint={t('agents.label.hint')}
          problem={(isChecked && wrong)
            || problemOf(action.problem, 'label')} />
      </Form>
    </Dialog>
  )
}

/** Shows a new key, once, until the owner confirms that it is saved. */
export function KeyShown({ onClose }: { onClose(): void }) {
  // The dialog keeps it while it closes.
  const [shown] = useState(newKey.value)
  if (!shown) return null
  return (
    <SecretDialog title={t('key.title', { name: shown.label })} what={t('key')}
      secret={shown.key} testId="new-key" onClose={onClose} onSaved={() => {
        newKey.value = undefined
        onClose()
      }} />
  )
}

export const UnsavedKey = () => (
  <Unsaved text={t('key.unsaved', { name: newKey.value?.label ?? '' })}>
    {(close) => <KeyShown onClose={close} />}
  </Unsaved>
)

export interface AgentDialogProps {
  readonly agent: Agent
  onDone(): void
  onClose(): void
}

const OVERLAP_HOURS = ['0', '1', '24', '72', '168'] as const

const overlapText = (hours: (typeof OVERLAP_HOURS)[number]): string =>
  (hours === '0' ? t('agents.rotate.none') : t(hours === '1' ? 'hour' : 'hours', { n: hours }))

/** Creates a key; the present ones stay valid for a time. */
export function Rotate({ agent: { agent, label }, onDone, onClose }: AgentDialogProps) {
  const [hours, setHours] = useState<(typeof OVERLAP_HOURS)[number]>('24')
  const action = useAction(async () => {
    const { api_key: key } = await call<RotatedKey>('POST', `/agents/${agent}/keys`,
      { overlap_hours: Number(hours) })
    keepNewKey({ agent, label, key })
  })
  return (
    <Dialog title={t('agents.rotate.title', { name: label })} onClose={onClose}>
      <Form action={action} submit={t('agents.rotate')} fields={['overlap']}
        onDone={onDone} onCancel={onClose}>
        <p>{t('agents.rotate.lead')}</p>
        <SelectField label={t('agents.rotate.overlap')} value={hours} onChange={setHours}
          problem={problemOf(action.problem, 'overlap')}
          options={OVERLAP_HOURS.map((n) => [n, overlapText(n)] as const)} />
      </Form>
    </Dialog>
  )
}

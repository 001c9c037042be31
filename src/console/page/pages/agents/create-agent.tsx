import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { t } from '../../i18n/text.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { problemOf, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { keepNewKey } from '../../session.ts'
import type { CreatedAgent } from '../../types.ts'
import { useAction } from '../../use-load.ts'
import { KeyShown } from './new-key.tsx'

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

import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { t } from '../../i18n/text.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { problemOf, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { apiKey, newKey, type NewKey } from '../../session.ts'
import type { CreatedAgent } from '../../types.ts'
import { useAction } from '../../use-load.ts'
import { KeyShown } from './new-key.tsx'

/** Until its owner says that it is saved; examples use it from now on. */
export function keepNewKey(created: NewKey): void {
  newKey.value = created
  apiKey.value = created.key
}

export async function createAgent(label: string): Promise<void> {
  const { agent, api_key: key } = await call<CreatedAgent>('POST', '/agents', { label })
  keepNewKey({ agent, label, key })
}

/** Asks for a name, then shows the key. */
export function CreateAgent({ onDone, onClose }: { onDone(): void, onClose(): void }) {
  const [label, setLabel] = useState('')
  const [isMade, setMade] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const action = useAction(() => createAgent(label.trim()))
  if (isMade) return <KeyShown onClose={onClose} />
  return (
    <Dialog title={t('agents.create')} onClose={onClose}>
      <Form action={action} submit={t('agents.create.submit')} fields={['label']}
        check={() => {
          setChecked(true)
          return label.trim() !== ''
        }}
        onDone={() => {
          onDone()
          setMade(true)
        }} onCancel={onClose}>
        <TextField label={t('agents.label')} value={label} maxLength={60} onChange={setLabel}
          hint={t('agents.label.hint')}
          problem={(isChecked && label.trim() === '' && t('missing'))
            || problemOf(action.problem, 'label')} />
      </Form>
    </Dialog>
  )
}

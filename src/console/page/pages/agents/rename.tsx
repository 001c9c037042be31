import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { t } from '../../i18n/text.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { problemOf, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import type { Agent } from '../../types.ts'
import { useAction } from '../../use-load.ts'

export interface AgentDialogProps {
  readonly agent: Agent
  onDone(): void
  onClose(): void
}

export function Rename({ agent: { agent, label: old }, onDone, onClose }: AgentDialogProps) {
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

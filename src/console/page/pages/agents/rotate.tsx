import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { t } from '../../i18n/text.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { problemOf, SelectField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import type { RotatedKey } from '../../types.ts'
import { keepNewKey } from '../../session.ts'
import { useAction } from '../../use-load.ts'
import type { AgentDialogProps } from './rename.tsx'

const OVERLAP_HOURS = ['0', '1', '24', '72', '168'] as const

const overlapText = (hours: (typeof OVERLAP_HOURS)[number]): string =>
  (hours === '0' ? t('agents.rotate.none') : t(hours === '1' ? 'hour' : 'hours', { n: hours }))

/** A new key, while the present ones stay good for a time. */
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

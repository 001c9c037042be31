/** What an owner lets an agent do. Amounts are typed in yuan and sent in fen. */
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { fenOf, yuan, yuanInput } from '../../format.ts'
import { t } from '../../i18n/text.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { problemOf, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { language } from '../../preferences.ts'
import { service } from '../../session.ts'
import type { AgentLimits } from '../../types.ts'
import { useAction } from '../../use-load.ts'
import type { AgentDialogProps } from './rename.tsx'

const AMOUNTS = ['order_amount_max', 'day_amount_max', 'user_ref_day_amount_max'] as const
type Amount = (typeof AMOUNTS)[number]

const categoryName = (id: number): string => {
  const found = service.value?.categories.find(({ category_id }) => category_id === id)
  return found?.[language.value] ?? String(id)
}

export function LimitsSummary({ limits }: { readonly limits: AgentLimits }) {
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

export function Limits({ agent: { agent, label, limits }, onDone, onClose }: AgentDialogProps) {
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

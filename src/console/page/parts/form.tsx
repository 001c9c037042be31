import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { t } from '../i18n/text.ts'
import type { Action } from '../use-load.ts'
import { ProblemNotice, type ErrorTexts } from './notice.tsx'

interface FormProps {
  readonly action: Action<[]>
  readonly submit: string
  readonly children: ComponentChildren
  readonly isDanger?: boolean
  /** Paths of the API that have a field here, which shows what is wrong with it. */
  readonly fields?: readonly string[]
  readonly texts?: ErrorTexts
  /** False keeps it from being sent; fields then say why. */
  check?(): boolean
  onDone?(): void
  onCancel?(): void
}

export function Form(props: FormProps) {
  const { action, submit, children, isDanger = false, fields = [], texts, onCancel } = props
  const form = useRef<HTMLFormElement>(null)
  const { problem, isBusy } = action
  const isShownAtFields = problem !== undefined && problem.fields.length > 0
    && problem.fields.every(({ path }) => fields.includes(path))

  async function send(event: Event): Promise<void> {
    event.preventDefault()
    const isDone = (props.check?.() ?? true) && await action.run()
    if (isDone) props.onDone?.()
    else requestAnimationFrame(() => firstWrong(form.current)?.focus())
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void send(event)}>
      {children}
      {!isShownAtFields && <ProblemNotice problem={problem} texts={texts} />}
      <div class="actions">
        <button type="submit" class={isDanger ? 'button danger' : 'button primary'}
          aria-disabled={isBusy}>
          {isBusy ? t('working') : submit}
        </button>
        {onCancel && <button type="button" class="button" onClick={onCancel}>{t('cancel')}</button>}
      </div>
    </form>
  )
}

const firstWrong = (form: HTMLElement | null): HTMLElement | null | undefined =>
  form?.querySelector<HTMLElement>('[aria-invalid=true]')

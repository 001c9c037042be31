/** Forms, their fields, and choices. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Action, Problem } from '../api.ts'
import { problemText, t } from '../i18n/text.ts'
import { type ErrorTexts, ProblemNotice } from './notice.tsx'

interface FormProps {
  readonly action: Action<[]>
  readonly submit: string
  readonly children: ComponentChildren
  readonly isDanger?: boolean
  /** Paths of the API with a field here, which shows its own problem. */
  readonly fields?: readonly string[]
  readonly texts?: ErrorTexts
  /** False stops the submission; fields then say why. */
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

/** The problem of one field of a form. */
export function problemOf(problem: Problem | undefined, path: string): string | undefined {
  const found = problem?.fields.find((field) => field.path === path)
  return found && problemText(found.problem)
}

interface FieldProps {
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
  readonly problem?: ComponentChildren
  readonly isOptional?: boolean
  /** The control, which must take these attributes. */
  children(attributes: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean | undefined
  }): ComponentChildren
}

/** A label, its control, a hint, and the field's problem. */
export function Field({ label, hint, problem, isOptional = false, children }: FieldProps) {
  const id = useId()
  const about = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>
        {label}{isOptional && <span class="optional"> {t('optional')}</span>}
      </label>
      {children({
        id, 'aria-describedby': about || undefined, 'aria-invalid': problem ? true : undefined,
      })}
      {problem && <p class="field-problem" id={`${id}-problem`}>{problem}</p>}
      {hint && <p class="field-hint" id={`${id}-hint`}>{hint}</p>}
    </div>
  )
}

interface TextFieldProps {
  readonly label: ComponentChildren
  readonly value: string
  readonly name?: string
  readonly type?: 'text' | 'email' | 'password'
  readonly hint?: ComponentChildren
  readonly problem?: ComponentChildren
  readonly isOptional?: boolean
  readonly autoComplete?: string
  readonly inputMode?: 'decimal' | 'numeric' | 'text'
  readonly maxLength?: number
  readonly placeholder?: string
  readonly suffix?: string
  /** Masked on the screen; the browser neither fills it in nor keeps it. */
  readonly isMasked?: boolean
  onChange(value: string): void
}

/** Password managers heed no other attribute. */
const UNFILLED = { 'data-1p-ignore': true, 'data-lpignore': 'true', 'data-bwignore': true }

export function TextField(props: TextFieldProps) {
  const { label, value, type = 'text', hint, problem, isOptional, suffix, onChange } = props
  const { name, autoComplete = 'off', inputMode, maxLength, placeholder, isMasked } = props
  return (
    <Field label={label} hint={hint} problem={problem} isOptional={isOptional ?? false}>
      {(attributes) => (
        <div class={suffix ? 'with-suffix' : undefined}>
          <input {...attributes} {...{ name, value, maxLength, placeholder, inputMode }}
            type={type as 'text'} autoComplete={autoComplete} spellcheck={false}
            required={!isOptional} aria-required={!isOptional}
            {...(isMasked && { class: 'masked', ...UNFILLED })}
            onInput={(event) => onChange(event.currentTarget.value)} />
          {suffix && <span aria-hidden="true">{suffix}</span>}
        </div>
      )}
    </Field>
  )
}

interface SelectFieldProps<T extends string> {
  readonly label: ComponentChildren
  readonly value: T
  readonly options: readonly (readonly [value: T, label: string])[]
  readonly hint?: ComponentChildren
  readonly isOptional?: boolean
  readonly problem?: ComponentChildren
  onChange(value: NoInfer<T>): void
}

export function SelectField<T extends string>(
  { label, value, options, hint, isOptional, problem, onChange }: SelectFieldProps<T>,
) {
  return (
    <Field label={label} hint={hint} problem={problem} isOptional={isOptional ?? false}>
      {(attributes) => (
        <select {...attributes} value={value}
          onChange={(event) => onChange(event.currentTarget.value as T)}>
          {options.map(([name, text]) => <option key={name} value={name}>{text}</option>)}
        </select>
      )}
    </Field>
  )
}

interface CommitFieldProps {
  readonly label: string
  readonly value: string
  readonly type: 'search' | 'date'
  readonly placeholder?: string
  readonly maxLength?: number
  readonly min?: string
  readonly max?: string
  onCommit(value: string): void
}

/** A field that commits its value at Enter, or when it loses the focus. */
export function CommitField(
  { label, value, type, onCommit, ...attributes }: CommitFieldProps,
) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <Field label={label}>
      {(described) => (
        <input {...described} {...attributes} type={type as 'search'} value={text}
          autoComplete="off" spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={({ currentTarget: input }) => {
            const next = input.value.trim()
            if (input.validity.valid && next !== value) onCommit(next)
          }} />
      )}
    </Field>
  )
}

/** One of a few values, as buttons side by side. */
interface ChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, label: string])[]
  onChange(value: NoInfer<T>): void
}

export const Choice = <T extends string>({ label, value, options, onChange }: ChoiceProps<T>) => (
  <div class="choice" role="group" aria-label={label}>
    {options.map(([name, text]) => (
      <button key={name} type="button" aria-pressed={name === value}
        onClick={() => onChange(name)}>{text}</button>
    ))}
  </div>
)

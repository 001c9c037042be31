import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Problem } from '../api.ts'
import { problemText, t } from '../i18n/text.ts'

/** What is wrong with one field of a form. */
export function problemOf(problem: Problem | undefined, path: string): string | undefined {
  const found = problem?.fields.find((field) => field.path === path)
  return found && problemText(found.problem)
}

interface FieldProps {
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
  readonly problem?: ComponentChildren
  readonly isOptional?: boolean
  /** Its control: it must take these attributes. */
  children(attributes: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean | undefined
  }): ComponentChildren
}

/** A label, its control, what to know about it, and what is wrong with it. */
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
  /** Not to be read off the screen; nothing is to be filled in or kept by the browser. */
  readonly isMasked?: boolean
  onChange(value: string): void
}

/** Managers of passwords look at no other sign. */
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

import { useEffect, useState } from 'preact/hooks'
import { Field } from './field.tsx'

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

/** A field whose value counts once it is complete: at Enter, or when the field is left. */
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

/** The form of a tool, made from its JSON Schema without knowing any tool. */
import type { ComponentChildren } from 'preact'
import { newUuid } from '../api.ts'
import { t } from '../i18n/text.ts'
import { Field, SelectField, TextField } from '../parts/form.tsx'
import { language } from '../preferences.ts'

/** The part of a tool's JSON Schema that a form needs. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly examples?: readonly unknown[]
}

export type Values = Readonly<Record<string, unknown>>

/** The value of typed text by its schema; undefined for no text. */
function readText({ type }: Schema, text: string): unknown {
  if (text === '') return undefined
  if (type !== 'integer' && type !== 'number') return text
  const value = Number(text)
  // Sent as typed: the service's refusal teaches more than one of the form.
  return Number.isNaN(value) ? text : value
}

/** The values with the field set, or without it. */
function withField(values: Values, name: string, value: unknown): Values {
  const { [name]: _old, ...others } = values
  return value === undefined ? others : { ...values, [name]: value }
}

interface SchemaFormProps {
  readonly schema: Schema
  readonly values: Values
  /** Other optional fields are folded away; without it none is. */
  readonly shown?: readonly string[]
  onChange(values: Values): void
}

export function SchemaForm({ schema, values, shown, onChange }: SchemaFormProps) {
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return <p class="soft">{t('try.no_fields')}</p>
  // Required fields come first.
  const isNeeded = (name: string): boolean => schema.required?.includes(name) ?? false
  const isShown = (name: string): boolean => isNeeded(name) || (shown?.includes(name) ?? true)
  const row = ([name, field]: readonly [string, Schema]) => (
    <SchemaField key={name} name={name} schema={field} isOptional={!isNeeded(name)}
      value={values[name]} onChange={(value) => onChange(withField(values, name, value))} />
  )
  const folded = fields.filter(([name]) => !isShown(name))
  return (
    <>
      {fields.filter(([name]) => isShown(name))
        .toSorted(([one], [other]) => Number(isNeeded(other)) - Number(isNeeded(one))).map(row)}
      {folded.length > 0 && (
        <details>
          <summary>{t('try.more', { n: folded.length })}</summary>
          <div class="more">{folded.map(row)}</div>
        </details>
      )}
    </>
  )
}

interface SchemaFieldProps {
  readonly name: string
  readonly schema: Schema
  readonly isOptional: boolean
  readonly value: unknown
  onChange(value: unknown): void
}

function SchemaField(props: SchemaFieldProps) {
  const { name, schema, isOptional, value, onChange } = props
  const { type, description, format } = schema
  const label = <code>{name}</code>
  const about = { label, hint: description && <English>{description}</English>, isOptional }
  if (type === 'object') {
    return (
      <fieldset>
        <legend>{label} <span class="field-hint"><English>{description}</English></span></legend>
        <div class="pairs">
          <SchemaForm schema={schema} values={(value ?? {}) as Values} onChange={onChange} />
        </div>
      </fieldset>
    )
  }
  if (schema.enum || type === 'boolean') {
    const choices = schema.enum ?? ['true', 'false']
    return (
      <SelectField {...about} value={value === undefined ? '' : String(value)}
        options={[['', '–'], ...choices.map((one) => [one, one] as const)]}
        onChange={(text) => onChange(text === '' ? undefined
          : type === 'boolean' ? text === 'true' : text)} />
    )
  }
  if (type === 'array') return <ListField {...props} about={about} />
  if (format === 'uuid') {
    return (
      <>
        <TextField {...about} value={textOf(value)}
          onChange={(text) => onChange(text || undefined)} />
        <button type="button" class="button small quiet beside" onClick={() => onChange(newUuid())}>
          {t('try.new_uuid')}</button>
      </>
    )
  }
  return (
    <TextField {...about} value={textOf(value)}
      inputMode={type === 'integer' ? 'numeric' : 'text'} maxLength={schema.maxLength ?? 2000}
      placeholder={schema.default === undefined ? '' : String(schema.default)}
      onChange={(text) => onChange(readText(schema, text))} />
  )
}

/** One value a line. */
function ListField({ schema, value, onChange, about }: SchemaFieldProps & {
  readonly about: { label: ComponentChildren, hint: ComponentChildren, isOptional: boolean }
}) {
  const { items = {} } = schema
  const lines = Array.isArray(value) ? value.map(String) : []
  return (
    <Field {...about} hint={<>
      {about.hint}{about.hint && ' · '}{items.enum && `${items.enum.join(', ')} · `}
      {t('try.lines')}
    </>}>
      {(attributes) => (
        <textarea {...attributes} rows={Math.max(2, lines.length)} spellcheck={false}
          value={lines.join('\n')} onInput={(event) => {
            const text = event.currentTarget.value
            onChange(text === '' ? undefined
              : text.split('\n').map((line) => readText(items, line) ?? ''))
          }} />
      )}
    </Field>
  )
}

const textOf = (value: unknown): string => (value === undefined ? '' : String(value))

/** Text of the API, which is English in every language of the page. */
const English = ({ children }: { readonly children: ComponentChildren }) => (
  <span lang={language.value === 'en' ? undefined : 'en'}>{children}</span>
)

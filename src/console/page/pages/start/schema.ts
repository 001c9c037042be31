/** What a form needs of a tool's JSON Schema. */
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

/** Text as it was typed, as the value that the schema means; undefined where nothing was. */
export function readText({ type }: Schema, text: string): unknown {
  if (text === '') return undefined
  if (type !== 'integer' && type !== 'number') return text
  const value = Number(text)
  // Sent as it is: what the service says of it is part of what can be learnt here.
  return Number.isNaN(value) ? text : value
}

/** With the field set, or left out. */
export function withField(values: Values, name: string, value: unknown): Values {
  const { [name]: _old, ...others } = values
  return value === undefined ? others : { ...values, [name]: value }
}

/** Also where the page was not opened over https. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

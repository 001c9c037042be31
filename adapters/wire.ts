/** Pieces of wire schemas. Platforms leave fields out, or send null, as they like. */
import { Type, type TSchema } from 'typebox'

export const maybe = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** Ids come as numbers or text; long numbers were made text by `parseJson`. */
export const Id = Type.Union([Type.String({ maxLength: 200 }), Type.Integer()])

/** Codes that are numbers in some answers and text in others. */
export const Code = Type.Union([Type.String({ maxLength: 64 }), Type.Number()])

/** Text of an id; null for the nothings that platforms send: absent, null, "", 0, "0". */
export const idOrNull = (id: string | number | null | undefined): string | null =>
  id === undefined || id === null || id === '' || Number(id) === 0 ? null : String(id)

/** A list, or one that an object of a single typed key wraps. */
export function listOf(value: unknown, ...keys: readonly string[]): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return null
  for (const key of keys) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if (Array.isArray(inner)) return inner
    if (typeof inner === 'object' && inner !== null) return [inner]
  }
  return null
}

/** How the simulated mall A writes: refusals, yuan, lists wrapped or plain, long numbers. */
import { METHODS, type Method } from './dialect.ts'

export const HOST = 'mall-a.example'
export const ADZONE = '300'
/** Beyond 2^53, and written as numbers. */
export const POOL: readonly string[] = Array.from({ length: 64 }, (_, nth) =>
  `91000000000000000${String(nth).padStart(2, '0')}`)

export type Asked = Readonly<Record<string, string>>

export interface Refused {
  readonly error: { readonly code: number, readonly msg: string, readonly sub_code?: string }
}

export const refuse = (code: number, msg: string, sub?: string): Refused =>
  ({ error: { code, msg, ...(sub !== undefined && { sub_code: sub, sub_msg: '请求被拒绝' }) } })
export const missing = (name: string): Refused =>
  refuse(40, 'Missing Required Arguments', `isv.missing-parameter:${name}`)
export const invalid = (name: string): Refused =>
  refuse(15, 'Remote service error', `isv.invalid-parameter:${name}`)

export const yuan = (fen: number): string => (fen / 100).toFixed(2)

/** A whole number within its bounds, the default when absent, or null. */
export function whole(text: string | undefined, or: number, max: number): number | null {
  if (text === undefined) return or
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 && number <= max ? number : null
}

const KNOWN = new Set<string>(Object.values(METHODS))
export const methodOf = ({ method }: Asked): Method | null =>
  (method !== undefined && KNOWN.has(method) ? method as Method : null)

/**
 * Lists stand under a typed key, which an empty one lacks; a caller who wants them plain gets no
 * root, and an empty list as one: the public clients parse nothing else there.
 */
export function wrap(method: Method, simplified: boolean, data: unknown): string {
  const body = simplified ? plain(data)
    : { [`${method.slice('taobao.'.length).replaceAll('.', '_')}_response`]: typed(data) }
  return JSON.stringify(body).replaceAll(NUMBERS, '"$1":$2')
}

const NUMBERS = /"(user_id|seller_id|adzone_id|relation_id|special_id)":"(\d+)"/g
const TYPED = new Set([
  'map_data', 'n_tbk_shop', 'n_tbk_item', 'tbk_item_detail', 'publisher_order_dto', 'string',
  'final_promotion_path_map_data', 'more_promotion_map_data', 'item_url_list',
  'material_url_list',
])

const plain = (data: unknown): unknown => mapLists(data, (_, list) => list)
const typed = (data: unknown): unknown =>
  mapLists(data, (key, list) => (list.length > 0 ? { [key]: list } : {}))

/** Writes each list that stands alone under its typed key another way. */
function mapLists(
  value: unknown, write: (key: string, list: readonly unknown[]) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((one) => mapLists(one, write))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [[key, list] = ['', null]] = entries
  if (entries.length === 1 && TYPED.has(key) && Array.isArray(list)) {
    return write(key, list.map((one) => mapLists(one, write)))
  }
  return Object.fromEntries(entries.map(([name, inner]) => [name, mapLists(inner, write)]))
}

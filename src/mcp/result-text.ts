/**
 * What a result says as text. Hosts show a model either the structured content or the text, some
 * both: so the text has every fact, and a list is a table, whose names stand in it once.
 *
 *     {"total":2,"page":1}
 *     items (2), of each {"freight":800,"images":["http://…/{sku_id}-1.svg"]}
 *     sku_id|title|retail_price
 *     10000101|智能手机|129900
 *     10000201|"1234"|
 *
 * A cell is JSON, but for a text that cannot be mistaken for any other JSON; an empty one is a
 * field that the record lacks.
 */
type Fields = Readonly<Record<string, unknown>>

/** From this many records on the names that stand once are worth a table. */
const ROWS_MIN = 2

/** What reads as JSON, would break a line or a cell, or cannot be seen: in quotes, as JSON. */
const QUOTED = /^$|^[-\d"[{ ]|^(?:true|false|null)$|[|\n\r\u2028\u2029]| $/

export function resultText(json: Buffer): string {
  const text = json.toString()
  const data = JSON.parse(text) as Fields
  const name = Object.keys(data).find((key) => isTable(data[key]))
  return name === undefined ? text : tableText(name, data)
}

const isTable = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.length >= ROWS_MIN && value.every(isRecord)

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function tableText(name: string, data: Fields): string {
  const { [name]: rows, ...rest } = data as { [name: string]: readonly Fields[] }
  const records = rows as readonly Fields[]
  const columns = [...new Set(records.flatMap(Object.keys))]
  const [first = ''] = columns
  const common = columns.slice(1).flatMap((column) => {
    const value = commonValue(records, column, first)
    return value === undefined ? [] : [[column, value] as const]
  })
  const shared = new Map(common)
  const own = columns.filter((column) => !shared.has(column))
  const ofEach = common.map(([column, value]) => `${JSON.stringify(column)}:${value}`).join()
  return [
    JSON.stringify(rest),
    `${name} (${records.length})${ofEach && `, of each {${ofEach}}`}`,
    own.map(cell).join('|'),
    ...records.map((record) => own.map((column) => cell(record[column])).join('|')),
  ].join('\n')
}

/** JSON that every record has under this name, once the record's first field is put into it. */
function commonValue(
  records: readonly Fields[], column: string, first: string,
): string | undefined {
  const mark = `{${first}}`
  let common: string | undefined
  for (const record of records) {
    const json = JSON.stringify(record[column])
    if (json === undefined || json.includes(mark)) return undefined
    const id = record[first]
    const value = typeof id === 'number' && !Number.isFinite(Number(json))
      ? json.replaceAll(String(id), mark) : json
    if (value !== (common ??= value)) return undefined
  }
  return common
}

function cell(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string' && !QUOTED.test(value)) return value
  return JSON.stringify(value).replaceAll('|', '\\u007c')
}

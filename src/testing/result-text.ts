/** Reads the text of an MCP result: what a host that shows only text has of it. */
export type Fields = Record<string, unknown>

/** The data that a result's text says: its format, read the other way round. */
export function readBack(text: string): unknown {
  const [head = '', heading = '', names, ...rows] = text.split('\n')
  if (names === undefined) return JSON.parse(text)
  const [, name = '', count, , ofEach = '{}'] =
    /^(.+?) \((\d+)\)(, of each (.*))?$/.exec(heading) ?? []
  if (rows.length !== Number(count)) throw new Error(`${rows.length} lines of ${count} records.`)
  const columns = names.split('|').map(readCell) as string[]
  const items = rows.map((row) => {
    const cells = row.split('|')
    const own = columns.flatMap((column, at) => {
      const value = readCell(cells[at] ?? '')
      return value === undefined ? [] : [[column, value]]
    })
    const first = String(readCell(cells[0] ?? ''))
    const common = JSON.parse(ofEach.replaceAll(`{${columns[0]}}`, first)) as Fields
    return { ...Object.fromEntries(own), ...common }
  })
  return { ...JSON.parse(head) as Fields, [name]: items }
}

function readCell(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

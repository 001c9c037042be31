/** One record of a CSV file. */
export const csvLine = (values: readonly (string | number)[]): string =>
  `${values.map(cell).join(',')}\n`

/** So that a spreadsheet shows a name or title, and does not compute it. */
export const sheetText = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Without it spreadsheets take a file for one in the code of their country. */
export const BYTE_ORDER_MARK = '\uFEFF'

function cell(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

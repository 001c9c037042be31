/** One record of a CSV file. */
export const csvLine = (values: readonly (string | number)[]): string =>
  `${values.map(cell).join(',')}\n`

function cell(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

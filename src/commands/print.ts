/** A command's answer: one line of JSON on standard output. */
export const print = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

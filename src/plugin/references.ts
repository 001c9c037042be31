/** What the skill refers to, read off the tables: tools, errors, and what a status means. */
import { ERRORS, type ErrorName } from '../contract/errors.ts'
import { errorsOf, isRequired } from '../operations/common-errors.ts'
import type { Operation } from '../contract/operation.ts'
import type { Status } from '../orders/states.ts'

/** What the user is told when an order comes to this status. */
const TELL: Readonly<Record<Status, string>> = {
  pending_payment: 'How to pay, and until when (`pay_expires_at`).',
  paid: 'That the payment arrived.',
  merchant_accepted: 'Nothing, unless they ask: the shop prepares the parcel.',
  shipped: 'That it is on its way: carrier and `waybill_no`, which the `shipped` event carries.',
  delivered: 'That it has arrived. Ask whether everything is right.',
  completed: 'Nothing. A return is no longer possible.',
  closed: 'That the order ended without a delivery; what was paid is given back.',
  refunding: 'That the refund of `aftersale.refund_amount` was decided and is on its way.',
  refunded: 'That the refund was made, how much, and by `refund.status` whether it has arrived.',
}

export const statusTable = (): string => table(['status', 'tell the user'],
  Object.entries(TELL).map(([status, text]) => [`\`${status}\``, text]))

/** Every tool with its arguments. */
export function toolsReference(tools: readonly Operation[]): string {
  const rows = tools.map((tool) => {
    const fields = Object.keys(tool.input.properties)
      .map((name) => `\`${name}${isRequired(tool, name) ? '' : '?'}\``)
    return [`\`${tool.name}\``, tool.description, fields.join(', '),
      tool.access === 'key' ? 'yes' : 'no']
  })
  return '# Tools\n\n`?` marks an argument that may be left out; `tools/list` has the schemas.\n\n'
    + `${table(['tool', 'when', 'arguments', 'key'], rows)}\n`
}

/** Every error that a tool can answer with, and the hint that comes with it. */
export function errorsReference(tools: readonly Operation[]): string {
  const possible = new Set<ErrorName>(tools.flatMap((tool) => errorsOf(tool)))
  const rows = Object.entries(ERRORS)
    .filter(([name]) => possible.has(name as ErrorName))
    .map(([name, { msg, hint }]) => [`\`${name}\``, msg, hint])
  return '# Errors\n\nA refused call is an `isError` result; `structuredContent.error` has the '
    + 'name, a hint and the facts of the case.\n\n'
    + `${table(['error', 'what it means', 'what to do'], rows)}\n`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

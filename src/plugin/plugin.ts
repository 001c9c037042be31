/** The plugin for agent harnesses: a folder of text, made from the table for one address. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { type ErrorName, ERRORS } from '../contract/errors.ts'
import type { OperationSpec } from '../contract/operation.ts'
import { errorsOf, isRequired } from '../operations/define.ts'
import type { Status } from '../orders/states.ts'
import { type Host, hostsOf, manifests, PLUGIN_NAME } from './hosts.ts'

/** What an agent says to its user when an order comes to this status. */
const STATUS_MESSAGES: Readonly<Record<Status, string>> = {
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

export interface PluginOptions {
  readonly operations: readonly OperationSpec[]
  /** Address of the service as callers see it, without a trailing slash. */
  readonly publicUrl: string
  /** Path of the REST interface below it. Example: /v1 */
  readonly basePath: string
  readonly version: string
}

export interface Plugin {
  readonly name: string
  readonly version: string
  readonly mcpUrl: string
  /** Where the node serves the archive. */
  readonly archiveUrl: string
  /** UTF-8 text by path within the plugin's folder. */
  readonly files: ReadonlyMap<string, string>
  /** The same as a zip, whose root is the plugin's folder; equal content has equal bytes. */
  readonly archive: Buffer
  /** Of the archive, in hexadecimal. */
  readonly sha256: string
  readonly hosts: readonly Host[]
}

export const SKILL_NAME = 'agentmall-shopping'
export const SKILL_PATH = `skills/${SKILL_NAME}/SKILL.md`
export const ARCHIVE_PATH = `/plugin/${PLUGIN_NAME}.zip`

/** A zip has times; content alone decides its bytes. */
const FILE_TIME = new Date(2000, 0, 1)

export function createPlugin(options: PluginOptions): Plugin {
  const { operations, publicUrl, basePath, version } = options
  const tools = operations.filter(({ tool }) => tool !== false)
  const mcpUrl = `${publicUrl}/mcp`
  const archiveUrl = `${publicUrl}${ARCHIVE_PATH}`
  const hosts = hostsOf(mcpUrl)
  const values = {
    version, public_url: publicUrl, rest_url: `${publicUrl}${basePath}`, mcp_url: mcpUrl,
    archive_url: archiveUrl, statuses: statusTable(), hosts: hostsText(hosts),
  }
  const facts = { version, publicUrl, mcpUrl }
  const files = new Map<string, string>([
    ['README.md', fill(template('README.md'), values)],
    ...Object.entries(manifests(facts)).map(([path, value]): [string, string] =>
      [path, `${JSON.stringify(value, null, 2)}\n`]),
    [SKILL_PATH, fill(template('SKILL.md'), values)],
    [`skills/${SKILL_NAME}/references/tools.md`, toolsReference(tools)],
    [`skills/${SKILL_NAME}/references/errors.md`, errorsReference(tools)],
  ])
  const archive = Buffer.from(zipSync(Object.fromEntries(
    [...files].map(([path, text]) => [path, strToU8(text)])), { mtime: FILE_TIME, level: 9 }))
  return {
    name: PLUGIN_NAME, version, mcpUrl, archiveUrl, files, archive, hosts,
    sha256: createHash('sha256').update(archive).digest('hex'),
  }
}

const template = (name: string): string =>
  readFileSync(new URL(`templates/${name}`, import.meta.url), 'utf8')

/** Puts values where `{{name}}` stands; a name without a value is a mistake in the template. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The template has no value for ${name}.`)
    return value
  })
}

const hostsText = (hosts: readonly Host[]): string => hosts
  .map(({ name, file, language, text }) =>
    `\n**${name}** (${file})\n\n\`\`\`${language}\n${text}\n\`\`\`\n`)
  .join('')

const statusTable = (): string => table(['status', 'tell the user'],
  Object.entries(STATUS_MESSAGES).map(([status, text]) => [`\`${status}\``, text]))

/** Every tool with its arguments. */
function toolsReference(tools: readonly OperationSpec[]): string {
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
function errorsReference(tools: readonly OperationSpec[]): string {
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

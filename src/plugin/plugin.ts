/** The plugin for agent harnesses: a folder of text, made from the table for one address. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import type { Operation } from '../contract/operation.ts'
import { hostsOf, type Host } from './hosts.ts'
import { manifests, PLUGIN_NAME } from './manifests.ts'
import { errorsReference, statusTable, toolsReference } from './references.ts'

export interface PluginOptions {
  readonly operations: readonly Operation[]
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

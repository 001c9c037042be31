/** The official conformance runner, as a process of its own, and what it found. */
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const RUNNER = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js')
const NODE_20 = new URL('node20.mjs', import.meta.url).href

export interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

export interface Run {
  /** Not 0 when a failure was not expected, or an expected one did not happen. */
  readonly exitCode: number | null
  readonly output: string
  /** By the names of the scenarios. */
  readonly checks: ReadonlyMap<string, readonly Check[]>
}

/** Every server scenario of a revision, judged by a file of expected failures in this folder. */
export async function runConformance(
  url: string, revision: string, expected: string,
): Promise<Run> {
  const results = await mkdtemp(join(tmpdir(), 'conformance-'))
  try {
    const { exitCode, output } = await run([
      'server', '--url', url, '--suite', 'all', '--spec-version', revision,
      '--expected-failures', pathOf(expected), '--output-dir', results,
    ])
    return { exitCode, output, checks: await readChecks(results) }
  } finally {
    await rm(results, { recursive: true })
  }
}

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** `scenario:check` with the reason for which it may fail; undefined where a line has none. */
export async function readExpected(name: string): Promise<Map<string, string | undefined>> {
  const lines = (await readFile(pathOf(name), 'utf8')).matchAll(/^ *- (\S+)(?: # (.+))?$/gm)
  return new Map([...lines].map(([, check = '', reason]) => [check, reason]))
}

/** What the runner counts as a failure, as lines of a file of expected failures. */
export const failuresOf = ({ checks }: Run): string[] =>
  [...checks].flatMap(([scenario, all]) => all
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id }) => `${scenario}:${id}`))

/** One line a scenario: what passed, and why the rest did not. */
export function tableOf(run: Run, expected: ReadonlyMap<string, string | undefined>): string {
  const lines = [...run.checks].map(([scenario, checks]) => {
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length
    const failed = failuresOf({ ...run, checks: new Map([[scenario, checks]]) })
    const reasons = new Set(failed.map((check) => expected.get(check) ?? `FAILED ${check}`))
    const verdict = failed.length > 0 ? [...reasons].join('; ') : passed > 0 ? 'pass' : 'no check'
    return `| ${scenario} | ${passed} | ${failed.length} | ${verdict} |`
  })
  return ['| scenario | passed | failed | |', '|---|---|---|---|', ...lines].join('\n')
}

async function run(command: readonly string[]): Promise<Pick<Run, 'exitCode' | 'output'>> {
  const shim = 'globSync' in fs ? [] : ['--import', NODE_20]
  const child = spawn(process.execPath, [...shim, RUNNER, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pieces: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => pieces.push(piece))
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve)
  })
  return { exitCode, output: Buffer.concat(pieces).toString() }
}

/** One folder a scenario: server-<scenario>-<time>. */
async function readChecks(results: string): Promise<Map<string, Check[]>> {
  const checks = new Map<string, Check[]>()
  for (const folder of (await readdir(results)).toSorted()) {
    const [, scenario = folder] = /^server-(.*)-\d{4}-\d{2}-\d{2}T.*$/.exec(folder) ?? []
    const file = join(results, folder, 'checks.json')
    checks.set(scenario, JSON.parse(await readFile(file, 'utf8')) as Check[])
  }
  return checks
}

/** A copy of the tree, a fault in it, and the first test that fails by that. */
import {
  cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { monotonicMs } from '../../src/contract/time.ts'
import type { Group, Mutant } from './table.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COPIED = ['src', 'adapters', 'config', 'docs', 'loadtest', 'package.json',
  'package-lock.json', 'tsconfig.json', 'README.md', 'docker-compose.yml', 'Dockerfile']

export interface Finding {
  readonly area: string
  readonly file: string
  readonly why: string
  /** `late` where the tests did not end in time, which finds it, too. */
  readonly outcome: 'killed' | 'survived' | 'late' | 'error'
  readonly by: string
  readonly seconds: number
}

/** Files of the product that have the text, once for each time: it should be one. */
export function filesWith(root: string, { text }: Pick<Mutant, 'text'>): string[] {
  return sourcesOf(root)
    .flatMap((name) => Array.from<string>({ length: timesIn(root, name, text) }).fill(name))
}

const sourcesOf = (root: string): string[] => ['src', 'adapters'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name)))
  .filter((name) => /\.(ts|lua)$/.test(name) && !/\.test\.ts$|\/testing\//.test(name))

const timesIn = (root: string, name: string, text: string): number =>
  readFileSync(join(root, name), 'utf8').split(text).length - 1

/** One runner over one copy, which keeps its servers and what it has compiled. */
export class Planter {
  private readonly root: string
  private readonly secondsMax: number
  /** Each run of the tests has a folder of its own in it. */
  private readonly temporary = tmpdir()
  private vitest: Vitest | undefined

  constructor(secondsMax: number) {
    this.secondsMax = secondsMax
    this.root = mkdtempSync(join(tmpdir(), 'agentmall-mutants-'))
    for (const name of COPIED.filter((one) => existsSync(join(ROOT, one)))) {
      cpSync(join(ROOT, name), join(this.root, name), { recursive: true })
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'))
  }

  async close(): Promise<void> {
    await this.vitest?.close()
    rmSync(this.root, { recursive: true, force: true })
  }

  /** Begins anew after what a fault may have left in the servers. */
  async restart(): Promise<void> {
    await this.vitest?.close()
    this.vitest = undefined
    process.env['TMPDIR'] = this.temporary
  }

  async plant({ area, tests }: Group, mutant: Mutant): Promise<Finding> {
    const since = monotonicMs()
    const { why, text, becomes } = mutant
    const [file, ...others] = filesWith(this.root, mutant)
    if (file === undefined || others.length > 0) {
      const by = file === undefined ? 'its text is in no file'
        : `its text is in ${[file, ...others].join(', ')}`
      return { area, file: file ?? '', why, outcome: 'error', by, seconds: 0 }
    }
    const path = join(this.root, file)
    const whole = readFileSync(path, 'utf8')
    try {
      writeFileSync(path, whole.replace(text, () => becomes))
      this.vitest?.invalidateFile(path)
      const likely = await this.firstFailure([mutant.first])
      const found = likely.outcome === 'survived' ? await this.firstFailure(tests) : likely
      return { area, file, why, ...found, seconds: Math.round((monotonicMs() - since) / 1000) }
    } finally {
      writeFileSync(path, whole)
      this.vitest?.invalidateFile(path)
    }
  }

  /** Runs test files until one fails. */
  async firstFailure(
    tests: readonly string[],
  ): Promise<Pick<Finding, 'outcome' | 'by'>> {
    const vitest = this.vitest ??= await this.start()
    const chosen = await vitest.globTestSpecifications([...tests])
    if (chosen.length === 0) return { outcome: 'error', by: `no test file is ${tests.join()}` }
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      void vitest.cancelCurrentRun('keyboard-input')
    }, this.secondsMax * 1000)
    const { testModules } = await vitest.runTestSpecifications(chosen)
    clearTimeout(late)
    // It gives what ran earlier as well.
    const ran = new Set(chosen.map(({ moduleId }) => moduleId))
    const by = testModules.filter(({ moduleId }) => ran.has(moduleId))
      .map((one) => this.failureOf(one)).find((one) => one !== undefined)
    if (by !== undefined) return { outcome: 'killed', by }
    return isLate ? { outcome: 'late', by: `no end within ${this.secondsMax} s` }
      : { outcome: 'survived', by: '' }
  }

  private async start(): Promise<Vitest> {
    const vitest = await createVitest('test', {
      root: this.root, config: join(this.root, 'config/vitest.ts'), watch: false, bail: 1,
      reporters: [{}],
    })
    await vitest.standalone()
    return vitest
  }

  private failureOf(module: TestModule): string | undefined {
    const file = relative(this.root, module.moduleId)
    const [failed] = [...module.children.allTests('failed')]
    if (failed) return `${file}: ${failed.fullName}`
    const [error] = module.errors()
    return error && `${file}: ${error.message.split('\n')[0]}`
  }
}

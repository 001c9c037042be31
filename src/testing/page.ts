/** The console's page in a headless Chromium, for tests of what people see and do. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import type { Config } from '../config.ts'
import { buildPage } from '../console/assets.ts'
import type { SandboxMalls } from '../start/sandbox-malls.ts'
import { chromiumPath, launchChromium } from './chromium.ts'
import { newEmail, PASSWORD } from './console.ts'
import { inTime } from './eventually.ts'
import { randomAddress, startTestNode, type TestNode } from './node.ts'
import { PATIENCE_MS } from './patience.ts'

/** Starting a browser and building the page take their time on a slow machine. */
const PAGE_TIMEOUT_MS = 5 * PATIENCE_MS

/** Says once why a file's tests are left out. */
function hasChromium(): boolean {
  if (chromiumPath() !== undefined) return true
  process.stderr.write('not run: tests of the console\'s page: no Chromium is installed\n')
  return false
}

export interface OpenPage {
  readonly page: Page
  /** Everything that the page's policy kept from happening, and errors of its script. */
  readonly complaints: readonly string[]
}

export interface Stage {
  readonly node: TestNode
  readonly browser: Browser
}

export interface PageSettings {
  readonly overrides: Partial<Config>
  readonly malls?: Pick<SandboxMalls, 'settings' | 'shops'>
  /** Ends what the settings needed. */
  stop(): Promise<void>
}

/**
 * A node, its built page and a browser, for the tests that `define` declares with them. What needs
 * servers of its own starts them in `settings`: hooks of a file whose tests are all left out never
 * run, and what it began outside would stay.
 */
export function describePage(
  name: string, settings: Partial<Config> | (() => Promise<PageSettings>),
  define: (stage: Stage) => void,
): void {
  describe.runIf(hasChromium())(`${name}, in a browser`, { timeout: PAGE_TIMEOUT_MS }, () => {
    const stage = {} as { -readonly [P in keyof Stage]: Stage[P] }
    let prepared: PageSettings | undefined
    beforeAll(async () => {
      prepared = typeof settings === 'function' ? await settings() : undefined
      const { overrides, malls } = prepared ?? { overrides: settings as Partial<Config> }
      stage.node = await startTestNode(overrides, undefined, malls?.settings, malls?.shops)
      await buildPage(stage.node.services.config.cacheDir)
      stage.browser = await launchChromium()
    }, PAGE_TIMEOUT_MS)
    afterAll(async () => {
      await stage.browser.close()
      await stage.node.stop()
      await prepared?.stop()
    })
    define(stage)
  })
}

/** It is closed when the test is over. */
export async function openPage(
  { browser, node }: Stage, options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await inTime('a new browser context', browser.newContext({
    baseURL: node.url, locale: 'en-GB', reducedMotion: 'reduce',
    // Each person has an address of their own: limits have their own tests.
    extraHTTPHeaders: { 'X-Forwarded-For': randomAddress() },
    ...options,
  }))
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await openTab(context)
  const complaints: string[] = []
  page.on('console', (message) => {
    // A refused call is logged by the browser as an error, too; the page shows it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  onTestFinished(() => inTime('the browser context to close', context.close()))
  return { page, complaints }
}

/** What Playwright itself would wait for without end. */
const UNBOUNDED = ['evaluate', 'content', 'close'] as const

/** A page of that browser whose every wait has a deadline and says what it waits for. */
export async function openTab(context: BrowserContext): Promise<Page> {
  const page = await inTime('a new page', context.newPage())
  for (const name of UNBOUNDED) {
    const call = page[name].bind(page) as (...args: unknown[]) => Promise<unknown>
    Object.assign(page, { [name]: (...args: unknown[]) =>
      inTime(`page.${name}(${String(args[0] ?? '').slice(0, 100)})`, call(...args)) })
  }
  return page
}

/** Somebody new, signed in; the page is not opened yet. */
export async function signInAsNew({ page }: OpenPage): Promise<void> {
  const data = { email: newEmail(), password: PASSWORD }
  await page.request.post('/console/api/register', { data })
  await page.request.post('/console/api/session', { data })
}

/** Opens a page of the console and waits until it shows what it has to show. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`/console${path}`)
  await settle(page)
}

export async function settle(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await page.locator('.loading').waitFor({ state: 'detached' })
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds that keeps people out, as "rule: where". */
export const seriousFindings = (page: Page): Promise<string[]> =>
  findings(page, ['serious', 'critical'])

/** What axe-core finds, its advice included, as "rule: where"; of these impacts, where given. */
export async function findings(page: Page, impacts?: readonly string[]): Promise<string[]> {
  await page.evaluate(AXE)
  return await page.evaluate(async (wanted) => {
    interface Found { id: string, impact: string, nodes: { target: string[] }[] }
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: Found[], passes: Found[] }> }
    }
    const { violations, passes } = await axe.run()
    if (passes.length < 10) throw new Error('axe-core has not looked at the page.')
    return violations.filter(({ impact }) => wanted?.includes(impact) ?? true)
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  }, impacts)
}

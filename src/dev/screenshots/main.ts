/**
 * `npm run screenshots [-- words]`: pictures of every page in both themes, both languages and
 * on two devices, or of those whose names have the words, into .data/screenshots.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { cacheDir, readConfig } from '../../config.ts'
import { buildPage } from '../../console/assets.ts'
import { generateCatalogue } from '../../goods/generate.ts'
import { importCatalogue } from '../../goods/import.ts'
import { createLogger } from '../../log.ts'
import { openRedis, untilReady } from '../../redis/connect.ts'
import { createDurable } from '../../redis/durable.ts'
import { startEmbeddedRedis } from '../../dev/redis/embedded.ts'
import { type RedisUrls, urlsOf } from '../../redis/roles.ts'
import { startNode, type Node } from '../../start/node.ts'
import { launchChromium } from '../../testing/chromium.ts'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { PICTURES, SIZES, VIEWS, type Picture, type View } from './pictures.ts'
import { makeSample, NEWCOMER, OWNER, PASSWORD, type Sample } from './sample.ts'

const FOLDER = join('.data', 'screenshots')
const ITEMS = 600
/** Nothing moves by itself while pictures are taken. */
const STEP_MS = 3_600_000
const log = createLogger('warn')
const words = process.argv.slice(2)

const dataDir = await mkdtemp(join(tmpdir(), 'agentmall-screenshots-'))
const redis = await startEmbeddedRedis({ dataDir, cacheDir: cacheDir(), log })
try {
  await mkdir(FOLDER, { recursive: true })
  await buildPage(cacheDir())
  const urls = urlsOf(redis)
  await fill(urls)
  const node = await startNode({
    config: {
      ...readConfig({ PORT: '0', HOST: '127.0.0.1' }), publicUrl: 'https://mall.example.com',
      sandboxStepMs: STEP_MS, sandboxCompleteMs: STEP_MS,
    },
    urls, secret: 'a-secret-of-these-pictures-and-no-other', malls: {}, log,
  })
  const writes = openRedis(urls.ledger, log)
  try {
    await untilReady(writes, 'ledger')
    const durable = createDurable({ client: writes, replicas: 0, log })
    const sample = await makeSample(node, durable)
    durable.close()
    await photographAll(node, sample)
  } finally {
    writes.disconnect()
    await node.stop()
  }
} finally {
  await redis.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function fill(urls: RedisUrls): Promise<void> {
  const shelf = openRedis(urls.shelf, log, 'bulk')
  const ledger = openRedis(urls.ledger, log, 'bulk')
  await Promise.all([untilReady(shelf, 'shelf'), untilReady(ledger, 'ledger')])
  await importCatalogue({ shelf, ledger }, generateCatalogue({ items: ITEMS, seed: 'pictures' }))
  shelf.disconnect()
  ledger.disconnect()
}

async function photographAll(node: Node, sample: Sample): Promise<void> {
  const browser = await launchChromium()
  try {
    for (const view of VIEWS) {
      for (const who of ['nobody', 'newcomer', 'owner'] as const) {
        const context = await openContext(browser, node, view, who)
        for (const picture of PICTURES.filter((one) => one.who === who)) {
          const name = [picture.name, view.device, view.theme, view.language].join('-')
          if (words.every((word) => name.includes(word))) {
            await photograph(context, picture, sample, name)
          }
        }
        await context.close()
      }
    }
  } finally {
    await browser.close()
  }
}

async function openContext(
  browser: Browser, { port }: Node, { device, theme, language }: View, who: Picture['who'],
): Promise<BrowserContext> {
  const origin = `http://127.0.0.1:${port}`
  const context = await browser.newContext({
    baseURL: origin, viewport: SIZES[device], colorScheme: theme,
    locale: language === 'zh' ? 'zh-CN' : 'en-GB', reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  if (who !== 'nobody') {
    await context.request.post('/console/api/session', {
      data: { email: who === 'owner' ? OWNER : NEWCOMER, password: PASSWORD },
    })
  }
  return context
}

async function photograph(
  context: BrowserContext, { path, act, isOutside }: Picture, sample: Sample, name: string,
): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${isOutside ? '' : '/console'}${path(sample)}`)
  await page.locator('h1').waitFor()
  await page.locator('.loading').waitFor({ state: 'detached' })
  await act?.(page)
  await page.evaluate('scrollTo(0, 0)')
  const fullPage = await page.locator('dialog').count() === 0
  if (fullPage) await showWhole(page)
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage })
  await page.close()
}

/** What stays at the window's edge would else stand in the middle of the page. */
async function showWhole(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? SIZES.desktop
  const whole = Number(await page.evaluate('document.documentElement.scrollHeight'))
  await page.setViewportSize({ width, height: Math.max(height, whole) })
}

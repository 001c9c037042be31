/** The system's headless Chromium, for tests of what people see. */
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { PATIENCE_MS } from './patience.ts'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Undefined where none is installed. */
export const chromiumPath = (): string | undefined => PATHS.find((path) => existsSync(path))

export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error('No Chromium: apt-get install chromium.')
  return await chromium.launch({
    executablePath, timeout: PATIENCE_MS,
    // As root, as in containers, it has no sandbox of its own; it opens nothing but our node.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
}

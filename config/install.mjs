// Runs before `npm start` and `npm test`: installs the locked dependencies when they are missing
// or other ones are installed than the lockfile names. With `--omit=dev`, those of the service
// alone are enough; who has the development tools keeps them.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { requireNode } from './node-version.mjs'

requireNode()

const OMIT_DEV = '--omit=dev'
const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}node_modules/.agentmall-lock`
const lock = createHash('sha256').update(readFileSync(`${root}package-lock.json`)).digest('hex')
const present = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
const hasDevelopmentTools = present !== '' && !present.endsWith(OMIT_DEV)
const options = process.argv.slice(2)
  .filter((option) => option === OMIT_DEV && !hasDevelopmentTools)
const wanted = [lock, ...options].join(' ')

if (present !== wanted && present !== lock) {
  process.stderr.write('Installing the locked dependencies (once) ...\n')
  // `ci` begins by removing everything, which a service that runs meanwhile would not survive.
  const command = [...(present === '' ? ['ci'] : ['install', '--no-save']), ...options,
    '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', command, {
    cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32',
  })
  if (status !== 0) {
    process.stderr.write('npm could not install the dependencies, see above: it needs the network, '
      + 'or a registry that it reaches (npm config get registry).\n')
    process.exit(status ?? 1)
  }
  writeFileSync(stamp, wanted)
}

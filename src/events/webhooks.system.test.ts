/** What only other programs can say of our signatures: the official library for Python. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { nowMs } from '../contract/time.ts'
import { EVENT_TYPES, exampleOf } from './catalogue.ts'
import { newSigningSecret, signedHeaders } from './signing.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'agentmall-python-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Why the library cannot be had here; undefined where it is installed. */
function missing(): string | undefined {
  try {
    execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder,
      'standardwebhooks'], { stdio: 'pipe', timeout: 120_000 })
    return undefined
  } catch (error) {
    return (error as Error).message.split('\n')[0]
  }
}

const VERIFY = `
import json, sys
from standardwebhooks import Webhook, WebhookVerificationError
for secret, headers, body in json.load(open(sys.argv[1])):
    assert Webhook(secret).verify(body, headers) == json.loads(body)
    try:
        Webhook(secret).verify(body + " ", headers)
    except WebhookVerificationError:
        continue
    raise SystemExit("a changed body was accepted")
print("verified")
`

const why = missing()

test.runIf(why === undefined)('the official library for Python verifies every type of event',
  async () => {
    const secrets = [newSigningSecret(), newSigningSecret()]
    const messages = EVENT_TYPES.flatMap((type) => {
      const { id } = exampleOf(type)
      const body = JSON.stringify(exampleOf(type))
      const headers = signedHeaders({ id, body, timestampS: Math.floor(nowMs() / 1000) }, secrets)
      return secrets.map((secret) => [secret, headers, body])
    })
    await writeFile(join(folder, 'messages.json'), JSON.stringify(messages))
    const { stdout } = await run('python3', ['-c', VERIFY, join(folder, 'messages.json')],
      { env: { ...process.env, PYTHONPATH: folder } })
    expect(stdout).toBe('verified\n')
  })

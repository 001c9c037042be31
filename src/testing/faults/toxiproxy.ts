/** Toxiproxy as a process of our own, spoken to over its HTTP API. */
import { spawn, type ChildProcess } from 'node:child_process'
import { monotonicMs } from '../../contract/time.ts'
import { pauseFor } from './attempts.ts'
import { keptPort } from './ports.ts'

export interface Toxic {
  readonly type: 'latency' | 'timeout' | 'reset_peer' | 'slow_close' | 'limit_data' | 'bandwidth'
  /** Where it bites: on what Redis answers, or on what it is sent. */
  readonly stream: 'downstream' | 'upstream'
  readonly attributes: Readonly<Record<string, number>>
}

export interface Proxy {
  readonly port: number
  add(toxic: Toxic): Promise<void>
  /** Cuts every connection and refuses new ones, until it is on again. */
  turn(isOn: boolean): Promise<void>
  /** Takes off every toxic. */
  heal(): Promise<void>
}

export interface Toxiproxy {
  proxy(name: string, upstreamPort: number): Promise<Proxy>
  stop(): Promise<void>
}

const READY_MS_MAX = 60_000
const POLL_MS = 50

export async function startToxiproxy(program: string): Promise<Toxiproxy> {
  const port = await keptPort()
  const child = spawn(program, ['-host', '127.0.0.1', '-port', String(port)], { stdio: 'ignore' })
  const names: string[] = []

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(5000),
    })
    const text = await response.text()
    if (!response.ok && response.status !== 404) throw new Error(`toxiproxy: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  await untilReady(child, () => call('GET', '/proxies'))
  return {
    async proxy(name, upstreamPort) {
      const listen = await keptPort()
      await call('POST', '/proxies', {
        name, listen: `127.0.0.1:${listen}`, upstream: `127.0.0.1:${upstreamPort}`, enabled: true,
      })
      names.push(name)
      const toxics = new Set<string>()
      let next = 0
      return {
        port: listen,
        async add(toxic) {
          const id = `t${next += 1}`
          toxics.add(id)
          await call('POST', `/proxies/${name}/toxics`, { name: id, toxicity: 1, ...toxic })
        },
        turn: async (enabled) => { await call('POST', `/proxies/${name}`, { enabled }) },
        async heal() {
          for (const id of toxics) await call('DELETE', `/proxies/${name}/toxics/${id}`)
          toxics.clear()
        },
      }
    },
    async stop() {
      for (const name of names) await call('DELETE', `/proxies/${name}`).catch(() => undefined)
      child.kill('SIGKILL')
    },
  }
}

async function untilReady(child: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  const end = monotonicMs() + READY_MS_MAX
  for (;;) {
    if (await ask().then(() => true, () => false)) return
    if (child.exitCode !== null || monotonicMs() > end) throw new Error('toxiproxy did not start')
    await pauseFor(POLL_MS)
  }
}

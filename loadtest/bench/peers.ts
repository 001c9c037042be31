/** Servers that ours is held against, each a process of its own. */
import { fileURLToPath } from 'node:url'
import { askChild, endChild, forkScript, type Server } from './processes.ts'

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

async function start(file: string, orders: object): Promise<Server> {
  const child = forkScript({ file })
  const { port } = await askChild<{ port: number }>(child, orders)
  return { pid: child.pid as number, port, stop: () => endChild(child) }
}

export const HELLO = '{"message":"hello"}'

export const startBareServer = (body: string): Promise<Server> =>
  start(path('peers/uws.ts'), { body })

export const startSdkServer = (page: object): Promise<Server> =>
  start(path('peers/sdk.ts'), { page })

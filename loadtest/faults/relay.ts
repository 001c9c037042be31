/** Between a node and its ledger: calls back at the nth write about something, and cuts there. */
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface Cut {
  /** Texts, one of which a write about it has. */
  readonly about: readonly string[]
  readonly step: number
  /** The write is lost with its node, or its answer is. */
  readonly when: 'before' | 'after'
  /** Nothing is passed on from then. */
  readonly onCut: () => void
}

export interface Relay {
  readonly url: string
  arm(cut: Cut): void
  disarm(): void
  close(): void
}

/** Scripts are all that writes. */
const SCRIPT = /EVAL(SHA)?\r\n/i

export async function openRelay(target: string): Promise<Relay> {
  const url = new URL(target)
  const sockets = new Set<Socket>()
  let armed: (Cut & { seen: number, isOver: boolean }) | undefined

  const isWrite = (chunk: Buffer): boolean => {
    const text = chunk.toString('latin1').toLowerCase()
    return SCRIPT.test(text) && armed?.about.some((one) => text.includes(one)) === true
  }
  const server = createServer((node) => {
    const redis = connect(Number(url.port), url.hostname)
    let isAwaited = false
    for (const socket of [node, redis]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        node.destroy()
        redis.destroy()
      })
    }
    const cut = (): void => {
      if (!armed || armed.isOver) return
      armed.isOver = true
      armed.onCut()
    }
    node.on('data', (chunk) => {
      if (armed?.isOver) return
      if (armed && isWrite(chunk) && (armed.seen += 1) === armed.step) {
        if (armed.when === 'before') return cut()
        isAwaited = true
      }
      redis.write(chunk)
    })
    redis.on('data', (chunk) => {
      if (isAwaited) cut()
      if (!armed?.isOver) node.write(chunk)
    })
  })
  await new Promise<void>((done) => { server.listen(0, '127.0.0.1', done) })
  const relayed = new URL(target)
  relayed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  // Of a server on this machine: clients prefer its socket.
  relayed.search = ''
  return {
    url: relayed.href,
    arm(cut) { armed = { ...cut, about: cut.about.map((one) => one.toLowerCase()), seen: 0,
      isOver: false } },
    disarm() { armed = undefined },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

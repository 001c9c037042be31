import { performance } from 'node:perf_hooks'
import { randomUUID } from 'node:crypto'
import { openRedis, untilReady } from '/work/main/src/redis/connect.ts'
import { createLogger } from '/work/main/src/log.ts'
import { createSecrets } from '/work/main/src/ids.ts'
import { createDurable } from '/work/main/src/redis/durable.ts'
import { createOrders } from '/work/main/src/orders/orders.ts'
import { ledger as keys, partitionOf } from '/work/main/src/redis/keys.ts'
import { scripts } from '/work/main/src/redis/script.ts'
import { startLedger } from '/work/main/src/testing/ledger.ts'

const own = await startLedger()
const stops: (() => Promise<void>)[] = [() => own.stop()]
const replicas = Number(process.env.REPLICAS ?? 0)
if (replicas) { const r = await startLedger({ master: own }); stops.unshift(() => r.stop()) }
const log = createLogger('silent')
const ledger = openRedis(own.url, log)
await untilReady(ledger, 'l')
if (replicas) await new Promise(r => setTimeout(r, 2000))
const config = { publicUrl: 'http://x.test', paymentWindowMs: 1.8e6, sandbox: true, sandboxStepMs: 5000, sandboxCompleteMs: 5000 }
const mk = async (connections: number) => createOrders({ ledger, durable: await (async () => { const w = openRedis(own.url, log); await untilReady(w, 'w'); return createDurable({ client: w, replicas, log }) })(), config, log, secrets: createSecrets('x'.repeat(40)) })
const N = 256
for (let i = 1; i <= N; i++) {
  await ledger.hset(keys.sku(i), { supply: 'own', sku_id: i*100+1, title: '测试商品 kettle 1.7L ' + i, merchant_id: 1, retail_price: 1990, qty_cap: 99, freight: 600, free_ship_threshold: 5000 })
  await ledger.hset(keys.stock(partitionOf(i)), i, 10_000_000)
}
const receiver = { name: '欧阳测试', phone: '13912345678', province: '浙江省', city: '杭州市', district: '西湖区', address: '文三路478号3幢201室' }
let n = 0
async function run(inFlight: number, ms: number, one: () => Promise<unknown>) {
  const end = performance.now() + ms; let done = 0; const lat: number[] = []
  const c0 = process.cpuUsage()
  await Promise.all(Array.from({ length: inFlight }, async () => {
    while (performance.now() < end) { const t = performance.now(); await one(); lat.push(performance.now() - t); done++ }
  }))
  const c = process.cpuUsage(c0); lat.sort((a, b) => a - b)
  return `${Math.round(done / ms * 1000)}/s p50 ${lat[done>>1]!.toFixed(2)} p99 ${lat[Math.floor(done*.99)]!.toFixed(2)} ms; node cpu ${((c.user + c.system) / done).toFixed(0)} us`
}
const placeOf = (orders: any) => () => orders.place({ idempotency_key: randomUUID(), merchant_id: 1, product_id: 1 + n++ % N, qty: 1, receiver }, { agent: 'ag_bench', account: 'ac' })
// bare Lua, one connection per caller as redis-benchmark does: place script only
const script = scripts.find(s => s.name === 'order-place')!
const conns = await Promise.all(Array.from({ length: 256 }, async () => { const r = openRedis(own.url, log); await untilReady(r, 'b'); return r }))
await ledger.script('LOAD', script.source); let k = 0
const sealed = 'r1.' + 'x'.repeat(260), given = JSON.stringify({ account: 'ac', attempt: randomUUID(), receiver_masked: receiver })
const ops = () => { const i = 1 + k++ % N, p = partitionOf(i), no = 'BB' + k
  return script.operands({ sku: keys.sku(i), stock: keys.stock(p), order: keys.order(p, no), events: keys.events(p, no), unpaid: keys.unpaid(p), outbox: keys.outbox(p) } as any,
    { order_no: no, agent: 'a', attempt: 'k', fingerprint: 'f', product_id: i, merchant_id: 1, qty: 1, receiver: sealed, given, window_ms: 1800000, doorbell: 'bell:outbox', partition: p } as any) }
let c = 0

const bare = () => { const [cnt, ...rest] = ops() as [number, ...string[]]; return conns[c++ % 256]!.evalsha(script.sha, cnt, ...rest) }
const kinds: Record<string, () => Promise<unknown>> = { bare }
for (const c of [1, 2, 4, 8]) { const many = await Promise.all(Array.from({ length: c }, async () => placeOf(await mk(1)))); let t = 0; kinds['place' + c] = () => many[t++ % c]!() }
const cycles = async () => Number(/eventloop_cycles:(\d+)/.exec(await ledger.info('stats'))![1])
const out: Record<string, string[]> = {}
for (const one of Object.values(kinds)) await run(64, 500, one)
for (let round = 0; round < 3; round++) for (const [name, one] of Object.entries(kinds)) {
  const c0 = await cycles(), n0 = n + k; const r = await run(256, 900, one); (out[name] ??= []).push(r.split(' ')[0] + ' ' + ((await cycles() - c0) / (n + k - n0)).toFixed(2) + 'cyc ' + r.split('cpu ')[1])
}
for (const [name, rs] of Object.entries(out)) console.log(name.padEnd(8), rs.join('   '))
const info = await ledger.info('commandstats'); console.log(info.split('\n').filter(l => /evalsha|persist|wait/.test(l)).join('\n'))
const mem = (await ledger.memory('USAGE', (await ledger.keys('{p1}:order:AM*')).find(k => !k.includes('events'))!)); console.log('order bytes', mem)
for (const r of conns) r.disconnect(); ledger.disconnect(); 
for (const s of stops) await s()
process.exit(0)

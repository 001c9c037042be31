/** `agentmall orders …` and `agentmall aftersales …`: what the merchant does and looks at. */
import { readFileSync, statSync } from 'node:fs'
import { Command } from 'commander'
import { parse as parseCsv } from 'csv-parse/sync'
import { nowMs } from '../contract/time.ts'
import { ConfigError } from '../config.ts'
import { startOfDay } from '../earnings/month.ts'
import { ORDER_NO_PATTERN } from '../contract/ids.ts'
import { serviceMode } from '../contract/money.ts'
import { createDriver, type MoveDetail } from '../orders/driver.ts'
import {
  AFTERSALE_ACTIONS, createMerchantActions, ORDER_ACTIONS, type MerchantActions,
  type MerchantOutcome,
} from '../orders/merchant.ts'
import { createMoves } from '../orders/moves.ts'
import { findOrders } from '../orders/lists.ts'
import { showOrder } from '../orders/view.ts'
import { BY_HAND } from '../orders/payments.ts'
import { readArchivedFields, readOrder } from '../orders/record.ts'
import { STATUSES, type Status } from '../orders/states.ts'
import { print, withDurable, type WithLedger } from './context.ts'
import { referenceOf, withPayments } from './payments.ts'

interface Line {
  readonly orderNo: string
  readonly aftersaleId?: string
  readonly detail?: MoveDetail
}

interface Options {
  readonly file?: string
  readonly waybill?: string
  readonly express?: string
  readonly reason?: string
  readonly returnAddress?: string
  readonly aftersale?: string
}

interface ListOptions {
  readonly status: string
  readonly from?: string
  readonly limit?: string
}

type Act = (merchant: MerchantActions, line: Line) => Promise<MerchantOutcome>

const FILE_BYTES_MAX = 16 * 1024 * 1024
/** Of one file, so many moves are under way at a time. */
const AT_ONCE = 32
const ORDER_NO = new RegExp(ORDER_NO_PATTERN)
type Texts = Readonly<Record<string, number>>

/** What an action takes beside the order, and how long it may be; other columns are not its. */
const TEXTS: Readonly<Record<string, Texts>> = {
  'orders ship': { waybill_no: 40, express_co: 40 },
  'orders refund': { reason: 200 },
  'aftersales approve': { return_address: 300 },
  'aftersales reject': { reason: 200 },
  'aftersales book-pickup': { pickup_waybill_no: 40 },
  'aftersales collect': { return_waybill_no: 40 },
}
const AFTERSALE_ID_MAX = 40


export function ordersCommands(withLedger: WithLedger): Command {
  const command = new Command('orders').description('orders, as their merchant moves them')
  for (const action of ORDER_ACTIONS) {
    const verb = moveCommand(command, action, withLedger,
      (merchant, { orderNo, detail }) => merchant.order(action, orderNo, detail))
    if (action === 'ship') {
      verb.option('--waybill <number>', 'waybill of the parcel; a file has the column waybill_no')
        .option('--express <name>', 'who carries it; a file has the column express_co')
    }
    if (action === 'refund') verb.option('--reason <text>', 'shown in the order\'s timeline')
  }
  command.command('pay <order>')
    .description('notes money that reached the merchant elsewhere; once for each reference')
    .requiredOption('--reference <text>', 'of the transfer, as the bank names it')
    .option('--amount <fen>', 'what came, where it is not the amount of the order')
    .action((orderNo: string, { reference, amount }: Record<string, string>) =>
      withPayments(withLedger, async (payments, { ledger, config, archive }) => {
        const order = await readOrder(ledger, orderNo, archive)
        if (!order) throw new ConfigError('There is no such order.')
        if (amount !== undefined && !/^[1-9]\d{0,10}$/.test(amount)) {
          throw new ConfigError('--amount must be fen, such as 2590.')
        }
        const recorded = await payments.record({
          paymentId: referenceOf(reference), orderNo, amount: Number(amount ?? order.amount),
          currency: 'CNY', paidAt: nowMs(),
        }, BY_HAND, serviceMode(config))
        print({ order_no: orderNo, ...recorded })
        if (recorded.outcome === 'stray') process.exitCode = 1
      }))
  command.command('show <order>')
    .description('an order with its receiver in clear: for whoever packs the parcel')
    .action((orderNo: string) => withLedger(async ({ ledger, secrets, archive }) => {
      const order = await showOrder(ledger, secrets, orderNo, archive)
      if (!order) throw new ConfigError('There is no such order.')
      print(order)
    }))
  command.command('list')
    .description('order numbers in a status, one a line, oldest first')
    .requiredOption('--status <status>', STATUSES.join(', '))
    .option('--from <day>', 'placed on this day in China or later, as 2026-11-20')
    .option('--limit <number>', 'at most so many')
    .action((
      { status, from, limit = 'Infinity' }: ListOptions,
    ) => withLedger(async ({ ledger }) => {
      if (!STATUSES.includes(status as Status)) {
        throw new ConfigError(`--status must be ${STATUSES.join(', ')}.`)
      }
      const start = from === undefined ? 0 : startOfDay(from)
      if (start === undefined) throw new ConfigError('--from must be a day, as 2026-11-20.')
      if (!/^([1-9]\d{0,8}|Infinity)$/.test(limit)) {
        throw new ConfigError('--limit must be a whole number from 1.')
      }
      const options = { from: start, limit: Number(limit) }
      for await (const found of findOrders(ledger, status as Status, options)) print(found)
    }))
  return command
}

export function aftersalesCommands(withLedger: WithLedger): Command {
  const command = new Command('aftersales').description('the latest after-sale of an order')
  for (const action of AFTERSALE_ACTIONS) {
    const verb = moveCommand(command, action, withLedger,
      (merchant, { orderNo, detail, aftersaleId }) =>
        merchant.aftersale(action, orderNo, detail, aftersaleId))
      .option('--aftersale <id>', 'only if it is this one; a file has the column aftersale_id')
    if (action === 'reject') verb.option('--reason <text>', 'told to the agent')
    if (action === 'approve') {
      verb.option('--return-address <text>', 'one line: name, phone and address to which the '
        + 'goods go; a file has return_address')
    }
    if (action === 'collect') {
      verb.option('--waybill <number>', 'waybill of the goods sent back; a file has '
        + 'return_waybill_no')
    }
    if (action === 'book-pickup') {
      verb.option('--waybill <number>', 'waybill of the pickup; a file has pickup_waybill_no')
    }
  }
  return command
}

function moveCommand(parent: Command, action: string, withLedger: WithLedger, act: Act): Command {
  return parent.command(`${action} [orders...]`)
    .description(`${action}; repeating it is harmless`)
    .option('--file <file>', 'CSV with a header, or NDJSON, with the column order_no')
    .action((orders: string[], options: Options) => {
      const texts = TEXTS[`${parent.name()} ${action}`] ?? {}
      const given = detailOf(action, options)
      const lines = [
        ...orders.map((orderNo) => lineOf(texts, { ...given, order_no: orderNo })),
        ...options.file === undefined ? [] : readLines(texts, options.file),
      ]
      if (lines.length === 0) throw new ConfigError('Name orders, or a file of them.')
      if (action === 'ship' && !lines.every(({ detail }) => detail?.waybill_no)) {
        throw new ConfigError('A parcel needs its waybill: --waybill, or the column waybill_no.')
      }
      return withLedger((context) => withDurable(context, async (durable) => {
        const { ledger, config, archive } = context
        const find = (orderNo: string) => readOrder(ledger, orderNo, archive)
        const move = createMoves({
          durable, driver: createDriver(config), unpaidKeptMs: config.unpaidKeptMs,
          archivedFields: (orderNo) => readArchivedFields(ledger, orderNo, archive),
        })
        const merchant = createMerchantActions({ find, move })
        for (let from = 0; from < lines.length; from += AT_ONCE) {
          const part = lines.slice(from, from + AT_ONCE)
          for (const outcome of await Promise.all(part.map((line) => act(merchant, line)))) {
            print(outcome)
            if (outcome.outcome === 'refused') process.exitCode = 1
          }
        }
      }))
    })
}

const WAYBILLS: Readonly<Record<string, string>> = {
  ship: 'waybill_no', 'book-pickup': 'pickup_waybill_no', collect: 'return_waybill_no',
}

const detailOf = (
  action: string, { waybill, express, reason, returnAddress, aftersale }: Options,
): object => ({
  ...(waybill && { [WAYBILLS[action] ?? '']: waybill }),
  ...(returnAddress && { return_address: returnAddress }),
  ...(express && { express_co: express }),
  ...(reason && { reason }),
  ...(aftersale && { aftersale_id: aftersale }),
})

function lineOf(texts: Texts, value: unknown, where = ''): Line {
  const fields = (value ?? {}) as Record<string, unknown>
  const orderNo = String(fields['order_no'] ?? '')
  if (!ORDER_NO.test(orderNo)) throw new ConfigError(`${where}This is not an order number.`)
  const text = (name: string, max: number): string | undefined => {
    const given = fields[name]
    if (given === undefined || given === '') return undefined
    // oxlint-disable-next-line no-control-regex
    if (typeof given !== 'string' || given.length > max || /[\0-\x1f\x7f]/.test(given)) {
      throw new ConfigError(`${where}${name} must be at most ${max} printable characters.`)
    }
    return given
  }
  const detail = Object.fromEntries(Object.entries(texts)
    .map(([name, max]) => [name, text(name, max)]).filter(([, found]) => found !== undefined))
  const aftersaleId = text('aftersale_id', AFTERSALE_ID_MAX)
  return {
    orderNo, ...(Object.keys(detail).length > 0 && { detail }), ...(aftersaleId && { aftersaleId }),
  }
}

/** The whole file is checked before the first move. */
function readLines(texts: Texts, file: string): Line[] {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new ConfigError('There is no such file.')
  }
  if (statSync(file).size > FILE_BYTES_MAX) throw new ConfigError('The file is over 16 MB.')
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  try {
    const values = text.trimStart().startsWith('{')
      ? text.split('\n').filter((line) => line.trim()).map((line): unknown => JSON.parse(line))
      : parseCsv(text, { columns: true, skip_empty_lines: true, trim: true }) as unknown[]
    return values.map((value, index) => lineOf(texts, value, `Record ${index + 1}: `))
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError('The file is neither CSV with a header nor NDJSON.')
  }
}

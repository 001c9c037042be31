/** `agentmall payments …`: money that has to go back, and a provider's day beside the ledger's. */
import { Command } from 'commander'
import pLimit from 'p-limit'
import { chinaTime, DAY_MS, parseChinaDay } from '../../adapters/time.ts'
import { nowMs } from '../contract/time.ts'
import { ConfigError, type Config } from '../config.ts'
import { serviceMode } from '../contract/money.ts'
import {
  openProvider, type ListedPayment, type PaymentProvider,
} from '../orders/payment-provider.ts'
import {
  LedgerPayments, paymentView, type PaymentRecord, type Payments,
} from '../orders/payments.ts'
import { createDriver } from '../orders/driver.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/send.ts'
import { type CommandContext, print, withDurable, type WithLedger } from './context.ts'

/** Orders of which payments are read at a time. */
const AT_ONCE = 64
/** A payment may be recorded so long after it was made, or so long before by another clock. */
const RECORDED_WITHIN_MS = 3 * DAY_MS

export function withPayments(
  withLedger: WithLedger, work: (payments: Payments, context: CommandContext) => Promise<void>,
): Promise<void> {
  return withLedger((context) => withDurable(context, (durable) => work(new LedgerPayments({
    ledger: context.ledger, durable, secrets: context.secrets, driver: createDriver(context.config),
  }), context)))
}

export function paymentsCommands(config: Config, withLedger: WithLedger): Command {
  const command = new Command('payments').description('money taken for orders, and its way back')
  command.command('list')
    .description('payments that have to go back and have not yet, one a line')
    .action(() => withPayments(withLedger, async (payments, { ledger }) => {
      for (const orderNo of await waiting(ledger)) {
        for (const [payment, owed] of await payments.owed(orderNo)) {
          print({ ...paymentView(payment), owed })
        }
      }
    }))
  command.command('show <order>')
    .description('everything that was taken for an order')
    .action((orderNo: string) => withPayments(withLedger, async (payments) => {
      for (const payment of await payments.of(orderNo)) print(paymentView(payment))
    }))
  command.command('returned <order>')
    .description('notes that a payment was given back by hand')
    .requiredOption('--payment <name>', 'as `payments list` names it')
    .requiredOption('--reference <text>', 'of the transfer')
    .action((orderNo: string, { payment: name, reference }: Record<string, string>) =>
      withPayments(withLedger, async (payments) => {
        const owed = (await payments.owed(orderNo)).find(([payment]) => payment.name === name)
        if (!owed) throw new ConfigError('No such payment has to go back: see `payments list`.')
        const [payment, amount] = owed
        await payments.noteReturn(orderNo, payment, amount, referenceOf(reference), 0)
        await payments.endReturns(orderNo)
        print({ order_no: orderNo, payment: name, outcome: 'returned', amount })
      }))
  command.command('reconcile')
    .description('compares a day of the provider with the ledger; a difference a line')
    .requiredOption('--day <day>', 'in China, as 2026-11-22; at most 90 days ago')
    .option('--record', 'records what the ledger lacks: it pays its order, or goes back')
    .action(({ day, record = false }: { day: string, record?: boolean }) =>
      withPayments(withLedger, async (payments, context) => {
        const provider = openProvider(config)
        if (!provider || config.sandbox) throw new ConfigError('Set PAYMENT_URL, and SANDBOX=off.')
        try {
          const differences = await reconcile({ provider, payments, context, day, record })
          if (differences > 0) process.exitCode = 1
        } finally {
          await provider.close()
        }
      }))
  command.command('simulate')
    .description('plays the provider at PAYMENT_URL, on this machine: for rehearsals')
    .action(async () => {
      const { payment } = config
      if (!payment) throw new ConfigError('Set PAYMENT_URL, PAYMENT_MERCHANT_ID, PAYMENT_SECRET.')
      const { startPaymentSimulator } = await import('../../adapters/payment/simulator.ts')
      const { url, token, close } = await startPaymentSimulator({
        ...payment, port: Number(new URL(payment.url).port), clock: { now: nowMs },
      })
      print({ url, token })
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
    })
  return command
}

/** Of a person: kept with the payment, and shown to the operator. */
export function referenceOf(text: string | undefined): string {
  // oxlint-disable-next-line no-control-regex
  if (!text || text.length > 64 || /[\0-\x1f\x7f]/.test(text)) {
    throw new ConfigError('--reference must be 1 to 64 printable characters.')
  }
  return text
}

async function waiting(ledger: CommandContext['ledger']): Promise<string[]> {
  const lists = await runMany(ledger, everyPartition().map((partition) =>
    ['zrange', keys.refunds(partition), '0', '-1'] as const)) as string[][]
  return lists.flat()
}

interface Reconciliation {
  readonly provider: PaymentProvider
  readonly payments: Payments
  readonly context: Pick<CommandContext, 'ledger' | 'config'>
  readonly day: string
  readonly record: boolean
}

/** Prints each difference and a sum; the number of differences. */
async function reconcile({
  provider, payments, context, day, record,
}: Reconciliation): Promise<number> {
  const begin = parseChinaDay(day.replaceAll('-', ''))
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || begin === null || chinaTime(begin).slice(0, 10) !== day) {
    throw new ConfigError('--day must be a day such as 2026-11-22.')
  }
  const listed = await provider.listDay(day)
  const limit = pLimit(AT_ONCE)
  let differences = 0
  const tell = (difference: string, payment: object): void => {
    differences += 1
    print({ difference, ...payment })
  }
  await Promise.all(listed.map((payment) => limit(async () => {
    const own = (await payments.of(payment.orderNo))
      .find(({ name }) => name === nameOf(provider, payment))
    const difference = differenceOf(payment, own)
    if (difference === undefined) return
    tell(difference, {
      order_no: payment.orderNo, payment: nameOf(provider, payment), provider: payment,
      ...(own && { ledger: paymentView(own) }),
      ...(record && difference === 'not_recorded' && { recorded:
        await payments.record(payment, provider.name, serviceMode(context.config)) }),
    })
  })))
  const names = new Set(listed.map((payment) => nameOf(provider, payment)))
  const own = await recordedOn(context.ledger, payments, begin, provider.name, limit)
  for (const payment of own) {
    if (!names.has(payment.name)) tell('not_at_provider', paymentView(payment))
  }
  print({ day, payments: listed.length, amount: sumOf(listed, ({ amount }) => amount),
    refunded: sumOf(listed, ({ refunded }) => refunded), differences })
  return differences
}

const nameOf = ({ name }: PaymentProvider, { paymentId }: ListedPayment): string =>
  `${name}:${paymentId}`

const sumOf = (listed: readonly ListedPayment[], of: (payment: ListedPayment) => number): number =>
  listed.reduce((sum, payment) => sum + of(payment), 0)

function differenceOf(listed: ListedPayment, own: PaymentRecord | undefined): string | undefined {
  if (!own) return 'not_recorded'
  if (own.amount !== listed.amount || own.currency !== listed.currency) return 'amount'
  if ((own.returned ?? 0) !== listed.refunded) return 'refund'
  return undefined
}

/** What the ledger has of a day by the provider's own time, whenever it was recorded. */
async function recordedOn(
  ledger: CommandContext['ledger'], payments: Payments, begin: number, via: string,
  limit: ReturnType<typeof pLimit>,
): Promise<PaymentRecord[]> {
  const lists = await runMany(ledger, everyPartition().map((partition) => [
    'zrangebyscore', keys.paymentsTaken(partition), begin - RECORDED_WITHIN_MS,
    begin + DAY_MS + RECORDED_WITHIN_MS,
  ] as const)) as string[][]
  const orderNos = new Set(lists.flat().map((entry) => entry.slice(0, entry.indexOf(' '))))
  const found = await Promise.all([...orderNos].map((orderNo) => limit(() => payments.of(orderNo))))
  return found.flat().filter((payment) => payment.via === via
    && payment.paidAt >= begin && payment.paidAt < begin + DAY_MS)
}

/**
 * What is kept sealed on the ledger (receivers, payees, addresses, secrets of webhooks): counted by
 * the secret that it is sealed under, and sealed anew under the first of SECRET. Safe beside nodes
 * and to repeat: a value is replaced only as it was read, and one that is under the first already
 * is left alone.
 */
import { readRecords } from '../earnings/books.ts'
import { withdrawalField, type WithdrawalRecord } from '../earnings/records.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import type { SealedKind, Secrets } from '../secrets/derive.ts'
import { MODES, type Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { countKeys, scanNames } from '../redis/scan.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/send.ts'
import { sealedUnder } from '../secrets/seal.ts'

export interface ResealOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run' | 'send'>
  readonly secrets: Secrets
}

const KINDS = {
  receiver: 'receivers', payee: 'payees', email: 'addresses', webhook: 'webhooks',
} as const
type Kind = Extract<SealedKind, keyof typeof KINDS>
export type SealCount = Record<(typeof KINDS)[Kind], number>

export interface Resealed extends SealCount {
  /** Left as they are: no secret of SECRET opens them. */
  unreadable: number
}

/** Sealed before envelopes named a key: under any secret that there was. */
export const UNNAMED = 'unnamed'

/** `done` of about `total` keys of the ledger. */
type OnProgress = (done: number, total: number) => void

interface SealedValue {
  readonly kind: Kind
  /** What the envelope is bound to. */
  readonly subject: string
  readonly envelope: string
  /** The hash and its field that hold it, alone or as part of a record. */
  readonly key: string
  readonly field: string
  readonly text: string
}

const VALUES_AT_ONCE = 200
const TRIES_MAX = 5
const ALL = /^(.*)$/s

export const fieldReplace = defineScript('field-replace', ['hash'], ['field', 'before', 'after'],
  (done: number) => done === 1)

/** Counts by the id of the secret, and `UNNAMED`; every secret of SECRET is there. */
export async function countSeals(
  { ledger, secrets }: Pick<ResealOptions, 'ledger' | 'secrets'>, onProgress?: OnProgress,
): Promise<Map<string, SealCount>> {
  const counts = new Map(secrets.ids.map((id) => [id, noneCounted()]))
  for await (const values of sealedValues(ledger, onProgress)) {
    for (const { kind, envelope } of values) {
      const id = sealedUnder(envelope) ?? UNNAMED
      const count = counts.get(id) ?? noneCounted()
      counts.set(id, count)
      count[KINDS[kind]] += 1
    }
  }
  return counts
}

export async function resealAll(place: ResealOptions, onProgress?: OnProgress): Promise<Resealed> {
  const resealed: Resealed = { ...noneCounted(), unreadable: 0 }
  for await (const values of sealedValues(place.ledger, onProgress)) {
    await Promise.all(values.map(async (value) => {
      const outcome = await reseal(place, value)
      if (outcome === 'resealed') resealed[KINDS[value.kind]] += 1
      if (outcome === 'unreadable') resealed.unreadable += 1
    }))
  }
  return resealed
}

/** `kept`: it is under the first secret, or was changed by others all the time. */
async function reseal(
  { ledger, durable, secrets }: ResealOptions, found: SealedValue,
): Promise<'resealed' | 'kept' | 'unreadable'> {
  let value: SealedValue | undefined = found
  for (let tried = 0; value && tried < TRIES_MAX; tried += 1) {
    const { kind, key, field, text, envelope, subject }: SealedValue = value
    if (sealedUnder(envelope) === secrets.ids[0]) return 'kept'
    const seal = secrets.seal(kind)
    let opened: string
    try {
      opened = seal.open(envelope, subject)
    } catch {
      return 'unreadable'
    }
    const after = text.replace(envelope, () => seal.seal(opened, subject))
    if (await durable.run(fieldReplace, { hash: key }, { field, before: text, after })) {
      return 'resealed'
    }
    value = valueIn(value, await ledger.hget(key, field))
  }
  return 'kept'
}

/** A record holds its envelope as a string without anything to escape. */
function valueIn(
  place: Omit<SealedValue, 'envelope' | 'text'>, text: string | null,
): SealedValue | undefined {
  if (text === null) return undefined
  const envelope = place.kind === 'payee' ? (JSON.parse(text) as WithdrawalRecord).payee : text
  return { ...place, text, envelope }
}

/** Every one that is there from the first to the last moment at least once, a few at a time. */
async function* sealedValues(
  ledger: RedisClient, onProgress: OnProgress = () => {},
): AsyncGenerator<SealedValue[]> {
  let done = 0
  const total = await countKeys(ledger)
  for await (const names of scanNames(ledger, { match: '*', name: ALL })) {
    const single = names.flatMap((name) => singlePlace(name) ?? [])
    for (let from = 0; from < single.length; from += VALUES_AT_ONCE) {
      const part = single.slice(from, from + VALUES_AT_ONCE)
      const texts = await runMany(ledger,
        part.map(({ key, field }) => ['hget', key, field] as const)) as (string | null)[]
      yield part.flatMap((place, index) => valueIn(place, texts[index] ?? null) ?? [])
    }
    for (const mode of MODES) {
      for (const name of names) {
        const account = scans.withdrawals[mode].name.exec(name)?.[1]
        if (account !== undefined) yield* payeesOf(ledger, account, mode)
      }
    }
    done += names.length
    onProgress(Math.min(done, total), total)
  }
}

/** Where a key has one sealed value; undefined for keys without. */
function singlePlace(name: string): Omit<SealedValue, 'envelope' | 'text'> | undefined {
  const orderNo = scans.orders.name.exec(name)?.[1]
  if (orderNo !== undefined && partitionOfOrder(orderNo) !== undefined) {
    return { kind: 'receiver', subject: orderNo, key: name, field: 'receiver' }
  }
  const webhook = scans.webhooks.name.exec(name)?.[1]
  if (webhook !== undefined) {
    return { kind: 'webhook', subject: webhook, key: name, field: 'secrets' }
  }
  const account = scans.logins.name.exec(name)?.[1]
  return account === undefined ? undefined
    : { kind: 'email', subject: account, key: name, field: 'email' }
}

async function* payeesOf(
  ledger: RedisClient, account: string, mode: Mode,
): AsyncGenerator<SealedValue[]> {
  const listed = keys.withdrawals(account, mode)
  for (let from = 0; ; from += VALUES_AT_ONCE) {
    const ids = await ledger.zrange(listed, String(from), String(from + VALUES_AT_ONCE - 1))
    const texts = await readRecords({ ledger, mode }, account, ids.map(withdrawalField))
    yield ids.flatMap((id, index) => valueIn({
      kind: 'payee', subject: id, key: keys.records(account, mode), field: withdrawalField(id),
    }, texts[index] ?? null) ?? [])
    if (ids.length < VALUES_AT_ONCE) return
  }
}

const noneCounted = (): SealCount => ({ receivers: 0, payees: 0, addresses: 0, webhooks: 0 })

/** The log of attempts at deliveries: read by endpoint and by subject, and sent from once more. */
import { isoTime, nowMs } from '../contract/time.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { fieldsOf } from '../redis/replies.ts'
import { ATTEMPTS_KEPT, type DeliveryServices } from './deliveries.ts'
import {
  CHALLENGE, type WaitingDelivery, WAITING_MAX, webhookKeys, webhookTake,
} from './endpoints.ts'

export interface AttemptView {
  readonly attempt_id: string
  readonly event_id: string
  readonly type: string
  /** The order, or another thing whose events go in order. */
  readonly subject: string
  readonly at: string
  readonly ms: number
  readonly attempt: number
  readonly outcome: string
  readonly status?: number
  readonly problem?: string
  readonly answer?: string
}

export interface AttemptFilter {
  /** Attempts before this one. */
  readonly before?: string | undefined
  readonly subject?: string | undefined
  /** Attempts from then on, ms. */
  readonly since?: number | undefined
  readonly limit: number
}

/** The newest first. */
export async function listAttempts(
  ledger: RedisClient, id: string, { before, subject, since, limit }: AttemptFilter,
): Promise<{ attempts: AttemptView[], next: string | undefined }> {
  const found = await readAttempts(ledger, id, { before, since })
  const fitting = found.filter(({ fields }) =>
    subject === undefined || fields['subject'] === subject)
  const shown = fitting.slice(0, limit)
  return {
    attempts: shown.map(viewOf),
    next: fitting.length > limit ? shown.at(-1)?.place : undefined,
  }
}

interface Attempt {
  readonly place: string
  readonly fields: Readonly<Record<string, string>>
}

async function readAttempts(
  ledger: RedisClient, id: string, { before, since }: Partial<AttemptFilter> = {},
): Promise<Attempt[]> {
  const to = before === undefined ? '+' : `(${before}`
  const from = since === undefined ? '-' : String(since)
  const found = await ledger.xrevrange(
    keys.webhookAttempts(id), to, from, 'COUNT', ATTEMPTS_KEPT)
  return found.map(([place, flat]) => ({ place, fields: fieldsOf(flat) }))
}

const viewOf = ({ place, fields }: Attempt): AttemptView => ({
  attempt_id: place, event_id: fields['event'] ?? '', type: fields['type'] ?? '',
  subject: fields['subject'] ?? '', at: isoTime(Number(fields['at'])),
  ms: Number(fields['ms']), attempt: Number(fields['attempt']),
  outcome: fields['outcome'] ?? '',
  ...(fields['status'] && { status: Number(fields['status']) }),
  ...(fields['problem'] && { problem: fields['problem'] }),
  ...(fields['answer'] && { answer: fields['answer'] }),
})

/** Queues an event of the log once more: false where it is not there, undefined where full. */
export async function resendEvent(
  { durable, ledger }: DeliveryServices, id: string, eventId: string,
): Promise<boolean | undefined> {
  const found = (await readAttempts(ledger, id))
    .find(({ fields }) => fields['event'] === eventId && fields['subject'] !== CHALLENGE)
  if (!found) return false
  const { type = '', body = '', subject = '' } = found.fields
  const delivery: WaitingDelivery = { id: eventId, type, body, t: nowMs(), n: 0 }
  const code = await durable.run(webhookTake, webhookKeys(id), {
    before: '*', after: '', waiting_max: WAITING_MAX,
    deliveries: JSON.stringify([[subject, JSON.stringify(delivery)]]),
  })
  return code === 'taken' ? true : undefined
}

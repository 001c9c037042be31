/** Places in a sorted set that answers in pages hand out, and take back. */
import { Refusal } from '../contract/errors.ts'
import type { Scored } from './replies.ts'

/** Scores are times in milliseconds. */
const PLACE = /^(\d{13}) (.+)$/s

export const cursorOf = ({ score, member }: Scored): string =>
  Buffer.from(`${score} ${member}`).toString('base64url')

/** Refuses what no page has given; `member` says which members there can be. */
export function readCursor(cursor: string, member: RegExp): Scored {
  const [, score, name = ''] = PLACE.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (score === undefined || !member.test(name)) throw wrongCursor()
  return { score: Number(score), member: name }
}

export const wrongCursor = (): Refusal => new Refusal('invalid_request', {
  fields: [{ path: 'cursor', problem: 'must be the next_cursor of an earlier page' }],
})

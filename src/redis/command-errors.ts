/** What an error of Redis says about the call: did it run, and where or when could it. */
import { Refusal } from '../contract/errors.ts'

export interface Redirect {
  /** `host:port` of the master that has the key. */
  readonly address: string
  /** Only this call goes there: the slot is on its way and that key has arrived. */
  readonly isAsk: boolean
}

export type ErrorClass =
  /** It did not run there; it will over there. */
  | { readonly kind: 'redirect', readonly to: Redirect }
  /** It did not run, and may in a moment. */
  | { readonly kind: 'later' }
  /** It did not run: the script is not known by its hash. */
  | { readonly kind: 'source' }
  /** It did not run, and will not soon: a full disk, a full memory. */
  | { readonly kind: 'refused' }
  /** A defect of ours. */
  | { readonly kind: 'defect' }
  /** A lost connection, no answer in time, a master that was demoted: it may have run. */
  | { readonly kind: 'unknown' }

/**
 * A script's first write is refused with the same words as a plain command, before anything is
 * changed; so is a script some of whose keys are on the way to another master (TRYAGAIN).
 */
const LATER = new Set([
  'TRYAGAIN', 'CLUSTERDOWN', 'LOADING', 'READONLY', 'MASTERDOWN', 'NOREPLICAS', 'BUSY',
])
const REFUSED = new Set(['OOM', 'MISCONF', 'NOAUTH', 'NOPERM', 'WRONGPASS'])
const DEFECT = new Set(['ERR', 'WRONGTYPE', 'CROSSSLOT', 'INVALIDOBJ'])

export function classifyError({ message }: Error): ErrorClass {
  const [word = '', , address = ''] = message.split(' ')
  if (word === 'MOVED' || word === 'ASK') {
    return { kind: 'redirect', to: { address, isAsk: word === 'ASK' } }
  }
  if (LATER.has(word)) return { kind: 'later' }
  if (word === 'NOSCRIPT') return { kind: 'source' }
  if (REFUSED.has(word)) return { kind: 'refused' }
  return { kind: DEFECT.has(word) ? 'defect' : 'unknown' }
}

/** Our own error where nothing could be sent. */
export const NOT_CONNECTED = Object.assign(new Error('The master of these keys is not connected.'),
  { name: 'NotConnected' })

/** Whether a transaction or a call that ended so has certainly changed nothing. */
export const hasNotRun = (error: Error): boolean => {
  const { kind } = classifyError(error)
  return kind === 'redirect' || kind === 'later' || error.message.startsWith('EXECABORT')
    || error === NOT_CONNECTED
}

/** Errors of the client itself carry its names, or one of its few sentences. */
const CLIENT_ERRORS = new Set([
  NOT_CONNECTED.name, 'ReplyError', 'MaxRetriesPerRequestError', 'ClusterAllFailedError',
  'AbortError',
])
const CLIENT_SENTENCES = new RegExp('^('
  + 'Connection is closed|Command timed out|Socket timeout|no reply$|'
  + "Stream isn't writeable|Cluster isn't ready|Cluster is disconnect|Node is disconnected|"
  + 'Too many Cluster redirections|No master node|None of startup nodes)')

/** Whether a call failed because Redis cannot be reached or used, and not by a defect of ours. */
export const isUnavailable = (error: unknown): boolean => error instanceof Error
  && (CLIENT_ERRORS.has(error.name) || CLIENT_SENTENCES.test(error.message) || 'syscall' in error)
  && classifyError(error).kind !== 'defect'

/** Whether a call had no answer, or the one to come again: a moment later it may succeed. */
export const isUnanswered = (error: unknown): boolean => isUnavailable(error)
  && !('syscall' in (error as Error)) && classifyError(error as Error).kind !== 'refused'

/** A Redis that is down is `unavailable` for the caller; a defect stays `internal`. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isUnavailable(error) ? new Refusal('unavailable', {}, error) : error
  }
}

/** For a person: of a Redis that was lost, or takes no writes, while it was used. */
export function unavailableSentence(error: unknown): string | undefined {
  if (!isUnavailable(error)) return undefined
  const { name, message } = error as Error
  const reason = name === 'MaxRetriesPerRequestError' ? 'the connection was lost' : message
  return `Redis cannot be used (${reason}): see that it runs and has room.`
}

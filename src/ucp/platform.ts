/** The profile of the platform that calls: where it is named, fetched within bounds, and kept. */
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { type Static, Type } from 'typebox'
import { Refusal } from '../contract/errors.ts'
import { parseJson } from '../contract/json.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { monotonicMs } from '../contract/time.ts'
import { type Outbound, type OutboundDocument, OutboundError } from '../outbound.ts'
import { problemsOf } from '../validate.ts'
import { ORDER, UCP_VERSION } from './capabilities.ts'

/** A registry has an array of declarations under each name. */
const Declarations = Type.Record(Type.String(), Type.Array(Type.Object({
  version: Type.String(),
  extends: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  config: Type.Optional(Type.Object({ webhook_url: Type.Optional(Type.String()) })),
}), { maxItems: 16 }))

const PlatformKey = Type.Object({
  kid: Type.String(),
  kty: Type.String(),
  crv: Type.Optional(Type.String()),
  x: Type.Optional(Type.String()),
  y: Type.Optional(Type.String()),
})
export type PlatformKey = Static<typeof PlatformKey>

const PlatformProfile = Type.Object({
  ucp: Type.Object({
    version: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
    capabilities: Type.Optional(Declarations),
  }),
  signing_keys: Type.Optional(Type.Array(PlatformKey, { maxItems: 32 })),
})
export type PlatformProfile = Static<typeof PlatformProfile>

/** Where a platform wants to be told of its orders. */
export const webhookUrlIn = ({ ucp }: PlatformProfile): string | undefined =>
  ucp.capabilities?.[ORDER]?.find(({ version }) => version === UCP_VERSION)?.config?.webhook_url

export interface Platforms {
  /** At once where it is kept; refuses an address that is missing or leads to no profile. */
  profile(address: string | undefined): MaybePromise<PlatformProfile>
}

const ADDRESS_LENGTH_MAX = 1024
const PROFILE_BYTES_MAX = 262_144
/** At most these profiles are fetched at once, and so many requests wait for their turn. */
const FETCHES_MAX = 8
const WAITING_MAX = 64
const PROFILES_MAX = 1000
/** Kept as long as its Cache-Control says, within these. */
const KEPT_MS = { min: 60_000, max: 3_600_000, otherwise: 300_000 } as const
/** A profile that cannot be had is not asked for again so soon. */
const FAILED_MS = 10_000

interface Kept { profile: MaybePromise<PlatformProfile>, endsMs: number }

export function createPlatforms(outbound: Pick<Outbound, 'get'>): Platforms {
  const kept = new LRUCache<string, Kept>({ max: PROFILES_MAX })
  const turn = pLimit(FETCHES_MAX)

  async function fetchProfile(address: string, entry: Kept): Promise<PlatformProfile> {
    try {
      const answer = await turn(() => outbound.get(address, PROFILE_BYTES_MAX))
      const profile = entry.profile = readProfile(answer)
      entry.endsMs = monotonicMs() + keptMs(answer.header('cache-control'))
      return profile
    } catch (error) {
      entry.endsMs = monotonicMs() + FAILED_MS
      throw asRefusal(error)
    }
  }

  function lookUp(address: string): MaybePromise<PlatformProfile> {
    const known = kept.get(address)
    if (known && known.endsMs > monotonicMs()) return known.profile
    if (address.length > ADDRESS_LENGTH_MAX || !URL.canParse(address)) {
      throw new Refusal('invalid_profile_url')
    }
    if (turn.pendingCount >= WAITING_MAX) throw new Refusal('unavailable', { retry_after_s: 1 })
    const entry = { endsMs: Infinity } as Kept
    kept.set(address, entry)
    // Whoever asks while it is fetched waits for the same answer.
    return entry.profile = fetchProfile(address, entry)
  }

  return {
    profile(address) {
      if (address === undefined) throw new Refusal('invalid_profile_url')
      return lookUp(address)
    },
  }
}

function readProfile({ status, body }: OutboundDocument): PlatformProfile {
  if (status < 200 || status > 299) throw new Refusal('profile_unreachable', { answered: status })
  let document: unknown
  try {
    document = parseJson(body)
  } catch {
    throw new Refusal('profile_malformed')
  }
  // UCP's paths begin in what was sent, here in the profile.
  const fields = problemsOf(PlatformProfile, document)
    .map(({ path, problem }) => ({ path: `profile${path && '.'}${path}`, problem }))
  if (fields.length > 0) throw new Refusal('profile_malformed', { fields })
  return document as PlatformProfile
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const kind = error instanceof OutboundError && error.kind === 'address'
    ? 'invalid_profile_url' : 'profile_unreachable'
  return new Refusal(kind, {}, error)
}

function keptMs(control: string | undefined): number {
  const seconds = /(?:^|[\s,])max-age=([0-9]{1,9})\b/i.exec(control ?? '')?.[1]
  return seconds === undefined ? KEPT_MS.otherwise
    : Math.min(Math.max(Number(seconds) * 1000, KEPT_MS.min), KEPT_MS.max)
}

const PROFILE_MEMBER = /(?:^|,)[ \t]*profile=("(?:[^"\\]|\\["\\])*")/

/** The `profile` of a UCP-Agent header, a dictionary of structured fields. */
export function profileInHeader(header: string | undefined): string | undefined {
  const [, quoted] = PROFILE_MEMBER.exec(header ?? '') ?? []
  return quoted?.slice(1, -1).replace(/\\(["\\])/g, '$1')
}

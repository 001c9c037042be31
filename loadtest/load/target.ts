/** Where the load goes and as whom: a service that runs here, or any other. */
import { withAccounts } from '../../src/commands/accounts-at-work.ts'
import { atWork, type AtWork } from '../../src/commands/ledger.ts'
import { ConfigError, readConfig, type Config, type LoadSettings } from '../../src/config.ts'
import { createLogger } from '../../src/log.ts'
import { attachEmbeddedRedis } from '../../src/redis/embedded.ts'
import { readSecret } from '../../src/secrets/open.ts'
import { makeKeys } from './keys.ts'
import type { Profile } from './profiles.ts'
import { startStand } from './stand.ts'
import { troublesBy, type Troubles } from './trouble.ts'

export interface Target {
  readonly baseUrls: readonly string[]
  readonly keys: readonly string[]
  readonly otherKeys: readonly string[]
  readonly quotaLeft: number | null
  /** Undefined where nothing can be troubled. */
  readonly troubles: Troubles | undefined
}

type Work = (target: Target) => Promise<void>

const READY_MS_MAX = 5000

export async function withTarget(
  profile: Profile, settings: LoadSettings, work: Work,
): Promise<void> {
  if (settings.keys.length > 0) await elsewhere(profile, settings, work)
  else await here(profile, settings, work)
}

/** A service that is known by its address and a key alone. */
async function elsewhere(profile: Profile, settings: LoadSettings, work: Work): Promise<void> {
  const { keys, otherKeys, trouble } = settings
  if ((profile.others ?? 0) > 0 && otherKeys.length === 0) {
    throw new ConfigError('This profile needs other agents, too: set OTHER_KEYS to keys of t1.')
  }
  if (profile.quotaLeft !== undefined) {
    throw new ConfigError('This profile spends a day of quota: it runs on a service here only.')
  }
  const baseUrls = settings.baseUrls.length > 0 ? settings.baseUrls : [localUrl(readConfig())]
  await assertReady(baseUrls)
  await work({
    baseUrls, keys, otherKeys, quotaLeft: null,
    troubles: trouble === undefined ? undefined : troublesBy(trouble),
  })
}

/** A service whose Redis is at hand: keys are made for the run, and nodes where it needs them. */
async function here(profile: Profile, settings: LoadSettings, work: Work): Promise<void> {
  const config = readConfig()
  const baseUrls = settings.baseUrls.length > 0 ? settings.baseUrls : [localUrl(config)]
  if (!config.redis && await attachEmbeddedRedis(config) === null) {
    throw new ConfigError('No service runs here: `npm start` first, or set BASE_URL and KEY.')
  }
  const log = createLogger('warn')
  const place: AtWork = (at) => atWork(config, log, at)
  await withAccounts(place, async (at) => {
    const ownKeys = await makeKeys(at, profile)
    const { keys, otherKeys } = ownKeys
    const hasStand = profile.stand !== undefined && settings.baseUrls.length === 0
    const own = hasStand && profile.stand
      ? await startStand(profile.stand, { urls: at.urls, secret: readSecret(config) }) : undefined
    const troubles = own?.troubles
      ?? (settings.trouble === undefined ? undefined : troublesBy(settings.trouble))
    try {
      if (!own) await assertReady(baseUrls)
      await work({
        baseUrls: own?.baseUrls ?? baseUrls, keys, otherKeys,
        quotaLeft: profile.quotaLeft ?? null, troubles,
      })
    } finally {
      await own?.close()
      await ownKeys.revoke()
    }
  })
}

/** By number, since calls may come from other addresses of this machine. */
const localUrl = ({ port }: Config): string => `http://127.0.0.1:${port}`

async function assertReady(baseUrls: readonly string[]): Promise<void> {
  for (const url of baseUrls) {
    const isReady = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READY_MS_MAX) })
      .then(({ ok }) => ok, () => false)
    if (!isReady) {
      throw new ConfigError(`Nothing is ready at ${url}: \`npm start\` first, or set BASE_URL.`)
    }
  }
}

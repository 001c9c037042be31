/** Which capabilities a platform and this business have in common, and what answers say of it. */
import { Refusal } from '../contract/errors.ts'
import { type Capability, UCP_CAPABILITIES, UCP_VERSION, versionOf } from './capabilities.ts'
import type { PlatformProfile } from './platform.ts'

/** Names of the capabilities that are active for a platform. */
export type Active = ReadonlySet<string>

/** Refuses a platform that speaks another version of the protocol. */
export function negotiate(
  { ucp }: PlatformProfile, ours: readonly Capability[] = UCP_CAPABILITIES,
): Active {
  if (ucp.version !== UCP_VERSION) {
    throw new Refusal('version_unsupported', {
      hint: `UCP ${ucp.version} is not spoken here: this business speaks ${UCP_VERSION}.`,
    })
  }
  const theirs = ucp.capabilities ?? {}
  const common = ours.filter((one) => Object.hasOwn(theirs, one.name)
    && theirs[one.name]?.some(({ version }) => version === versionOf(one)))
  return new Set(withoutOrphans(common).map(({ name }) => name))
}

/** Extensions of what is not active go, and then what extends those. */
function withoutOrphans(common: readonly Capability[]): readonly Capability[] {
  const names = new Set(common.map(({ name }) => name))
  const kept = common.filter((one) => one.extends === undefined || names.has(one.extends))
  return kept.length === common.length ? kept : withoutOrphans(kept)
}

/** The active capabilities that an answer of `root` is about: it and its extensions. */
export const relevantTo = (root: string, active: Active): object =>
  Object.fromEntries(UCP_CAPABILITIES
    .filter((one) => active.has(one.name) && (one.name === root || one.extends === root))
    .map((one) => [one.name, [{ version: versionOf(one) }]]))

import { defineScript } from './script.ts'

/** Renews a lease, or with 0 ms gives it back; true when the caller held it. */
export const leaseKeep = defineScript('lease-keep', ['lease'], ['holder', 'ttl_ms'],
  (held: number) => held === 1)

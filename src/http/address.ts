/** Whose request this is: the peer's address, or what trusted proxies say about it. */
import ipaddr from 'ipaddr.js'
import type { CidrRange } from '../config.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** `1.2.3.4:5` and `[::1]:5`, as some proxies write it. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/

/** The one spelling of an address; IPv4 inside IPv6 is IPv4. Undefined when it is none. */
export function normaliseAddress(text: string): string | undefined {
  return parse(text)?.toString()
}

function parse(text: string): Address | undefined {
  const match = WITH_PORT.exec(text)
  const bare = match?.[1] ?? match?.[2] ?? text
  // Strict on purpose: the parser alone also takes 0x7f.1 and zones such as fe80::1%eth0.
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  if (!ipaddr.IPv6.isValid(bare) || bare.includes('%')) return undefined
  return ipaddr.process(bare)
}

export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string

/**
 * Reads X-Forwarded-For from the right: every trusted hop vouches for the one before it, and the
 * first that is not trusted is the client. What stands further left anybody could have written.
 */
export function createClientAddress(trusted: readonly CidrRange[]): ClientAddress {
  const isTrusted = (address: Address): boolean => trusted.some(
    ([range, bits]) => address.kind() === range.kind() && address.match(range, bits),
  )
  return (peer, forwardedFor) => {
    const isPlain = !peer.includes(':')
    if (isPlain && (trusted.length === 0 || forwardedFor === undefined)) return peer
    let client = parse(peer)
    if (client === undefined) return peer
    const hops = trusted.length === 0 ? [] : forwardedFor?.split(',') ?? []
    for (let at = hops.length - 1; at >= 0 && isTrusted(client); at--) {
      const hop: Address | undefined = parse(hops[at]?.trim() ?? '')
      // Proxies also write "unknown"; then the last hop that is an address has to do.
      if (hop === undefined) break
      client = hop
    }
    return client.toString()
  }
}

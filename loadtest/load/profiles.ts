/** The profiles, with what each is run at by default and what it needs beyond a service. */

export interface Profile {
  readonly about: string
  /** Iterations a second, and how long. */
  readonly rate: number
  readonly seconds: number
  /** Tier of the key; t2 by default, whose rate no profile but its own exhausts. */
  readonly tier?: 't1' | 't2'
  /** Agents of tier t1 beside it. */
  readonly others?: number
  /** Sells an item that is scarce. */
  readonly sells?: true
  /** Units of the key's daily quota that are left. */
  readonly quotaLeft?: number
  /** Calls come from many addresses of this machine. */
  readonly addresses?: true
  /** Nodes of its own, on the Redis of the running service, which can be disturbed. */
  readonly ownNodes?: NodesPlan
  /** The end of the run by a threshold is its result. */
  readonly breaks?: true
}

export interface NodesPlan {
  readonly nodes: number
  /** On one address, between which the system spreads connections. */
  readonly isShared?: true
  /** With simulated platforms of their own. */
  readonly hasMalls?: true
}

export const PROFILES: Readonly<Record<string, Profile>> = {
  smoke: { about: 'every operation over REST and MCP, once or more', rate: 10, seconds: 10 },
  browse: { about: 'search, detail and shelf', rate: 200, seconds: 30 },
  ucp: { about: 'the same searches over UCP and over REST', rate: 100, seconds: 30 },
  agents: { about: 'conversations over MCP in both eras', rate: 10, seconds: 30 },
  orders: {
    about: 'unique orders, replays and a flash sale', rate: 40, seconds: 30, sells: true,
  },
  quota: {
    about: 'a key that overspends its day and its rate over two nodes', rate: 15, seconds: 20,
    tier: 't1', others: 1, quotaLeft: 100, ownNodes: { nodes: 2, hasMalls: true },
  },
  smart: {
    about: 'searches over all platforms, of which two become slow', rate: 8, seconds: 30,
    ownNodes: { nodes: 1, hasMalls: true },
  },
  t2: {
    about: 't1 and keyless callers without and beside a t2 agent at its limit', rate: 2400,
    seconds: 30, others: 20, addresses: true,
  },
  failover: {
    about: 'of three nodes one is told to stop, then one is killed', rate: 150, seconds: 30,
    ownNodes: { nodes: 3, isShared: true },
  },
  soak: { about: 'a bit of everything for long, with the memory of the nodes', rate: 50,
    seconds: 1800 },
  breakpoint: {
    about: 'reads at a growing rate until they are late or fail', rate: 4000, seconds: 60,
    breaks: true,
  },
}

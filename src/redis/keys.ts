/**
 * Every Redis key is spelt here, and nowhere else. The comment beside each says what it holds and
 * what it costs. Keys that one script changes together share the part in braces: one cluster slot.
 */

import type { Mode } from '../contract/money.ts'

/** Orders, stock and their events are spread over this many slots; it never changes. */
export const PARTITIONS = 256

/** The partition that a product, and with it all its orders, lives in. */
export const partitionOf = (productId: number): number => productId % PARTITIONS

const tag = (partition: number): string => `{p${partition}}`

/** An account has books of its own for each mode; the sandbox's have the older names. */
const OF_MODE = { sandbox: '', live: ':live' } as const satisfies Record<Mode, string>
const books = (account: string, mode: Mode): string => `acct:{${account}}${OF_MODE[mode]}`

/** Ledger: what must never be lost. */
export const ledger = {
  /** hash id of a secret → the keys of keyed hashes, sealed under it: see secrets/open.ts. */
  hashKeys: 'secret:hash-keys',
  /** string: fingerprint of the one secret of a ledger that was made without those; else `kept`. */
  secretFingerprint: 'secret:fingerprint',
  /** hash: `format`, the highest that was written; `reader`, the lowest that may run. */
  format: 'ledger:format',
  /** string: every order that was paid is in the index by status; absent on older ledgers. */
  statusesIndexed: 'by-status:built',
  /** string: the mode of the service that runs on it, `sandbox` or `live`. */
  mode: 'mode',
  /** string: raised when a catalogue change begins and ends; nodes compare it with the shelf's. */
  catalogueVersion: 'catalogue:version',
  /** string: seed, size and generator of the sandbox catalogue that was made. */
  catalogueGenerated: 'catalogue:generated',
  /** string with a TTL: who changes the catalogue; there is one at a time. */
  catalogueChange: 'catalogue:change',

  /** hash: what an order is computed from, and the catalogue line as imported (`source`). */
  sku: (productId: number) => `${tag(partitionOf(productId))}:sku:${productId}`,
  /** hash product_id → units: the only true stock. One HGETALL loads a partition's board. */
  stock: (partition: number) => `${tag(partition)}:stock`,
  /** hash product_id → units ever supplied; stock = supplied − held or consumed by orders. */
  supplied: (partition: number) => `${tag(partition)}:supplied`,
  /** set of product ids of every supply in the partition: what a rebuild walks. */
  products: (partition: number) => `${tag(partition)}:products`,
  /** hash: ids of stock deltas already applied, so that repeating one is harmless. */
  deltas: (partition: number) => `${tag(partition)}:deltas`,

  /** hash: the order with its fingerprint, agent, encrypted receiver and times. Of an order in the
   * archive what retries and lists need: `ended` instead of `status`, and where it is. */
  order: (partition: number, orderNo: string) => `${tag(partition)}:order:${orderNo}`,
  /** list of JSON: the order's timeline, only ever appended to. */
  events: (partition: number, orderNo: string) => `${tag(partition)}:order:${orderNo}:events`,
  /** sorted set order_no by the time its payment window ends. */
  unpaid: (partition: number) => `${tag(partition)}:unpaid`,
  /** sorted set of orders that were paid, by rank of the status × 10^13 + created_at: about 100
   * bytes for each as long as the order is kept. Pending ones are in `unpaid`, those that were
   * never paid in `fading`. */
  byStatus: (partition: number) => `${tag(partition)}:by-status`,
  /** sorted set order_no by the time of the order's next move that nobody asks for. */
  due: (partition: number) => `${tag(partition)}:due`,
  /** sorted set order_no by the time of the same of its after-sale. */
  afterDue: (partition: number) => `${tag(partition)}:due:after`,
  /** hash of an order's after-sales: fields `<id>.status`, `<id>.given`, `<id>.at.<status>`. */
  after: (partition: number, orderNo: string) => `${tag(partition)}:after:${orderNo}`,
  /** hash product_id → units in unpaid orders of trial keys; a product without any has no field. */
  trialHeld: (partition: number) => `${tag(partition)}:trial`,
  /** sorted set `order_no agent` by the time at which an order that was never paid is dropped. */
  fading: (partition: number) => `${tag(partition)}:fading`,
  /** hash: payments taken for an order number, also for one that names no order, as fields
   * `<payment>.status`, `<payment>.given` and so on: money is accounted for as long as orders. */
  payments: (partition: number, orderNo: string) => `${tag(partition)}:payments:${orderNo}`,
  /** sorted set `order_no payment` by the time it was recorded: what a day is reconciled with. */
  paymentsTaken: (partition: number) => `${tag(partition)}:payments`,
  /** sorted set order_no by the time at which its provider is asked for payments. */
  paymentChecks: (partition: number) => `${tag(partition)}:payments:checks`,
  /** sorted set order_no by the time of the next attempt to give its money back. */
  refunds: (partition: number) => `${tag(partition)}:refunds`,
  /** sorted set order_no by the time of the first of those attempts that failed. */
  refundsFailed: (partition: number) => `${tag(partition)}:refunds:failed`,
  /** stream of everything that happened; trimmed by age, progress and a hard cap. */
  outbox: (partition: number) => `${tag(partition)}:outbox`,
  /** hash consumer → last outbox id whose effects are durable. */
  progress: (partition: number) => `${tag(partition)}:progress`,
  /** string with a TTL: a write after reads in a key's slot, which WAIT can then cover. */
  fence: (key: string) => `fence:${/\{[^}]+\}/.exec(key)?.[0] ?? `{${key}}`}`,
  /** string with a TTL: a node asked whether the partition takes writes. */
  readiness: (partition: number) => `${tag(partition)}:readiness`,
  /** string: raised to have every node load its stock board again. */
  viewGeneration: 'views:generation',
  /** hash `consumer id` → JSON: events that a consumer could not handle, with the reason. */
  aside: (partition: number) => `${tag(partition)}:aside`,

  /** string `fingerprint order_no`: binds an idempotency key to one request. A third word is the
   * time (ms) at which it ends with its order. */
  idempotency: (agent: string, operation: string, key: string) =>
    `idem:{${agent}:${operation}:${key}}`,

  /** hash with a TTL: `revision` and `state`, a checkout as JSON with its buyer sealed; some 600
   * bytes for each, hours long, or more than a year where orders came of it. */
  checkout: (id: string) => `checkout:{${id}}`,
  /** hash with a TTL of 30 days: the same of a cart. */
  cart: (id: string) => `cart:{${id}}`,

  /** hash: the agent of the API key with this hash, and what the key looks like. A trial's key,
   * agent, account and binding code have a TTL until it earns something or is bound. */
  key: (hash: string) => `key:{${hash}}`,
  /** hash: an agent's account, tier, label, limits, and of each key its state and last use. */
  agent: (agent: string) => `agent:{${agent}}`,
  /** string with a TTL: affiliate calls an agent's nodes took on a UTC day (days since 1970). */
  quota: (agent: string, day: number) => `quota:{${agent}}:${day}`,
  /** sorted set order_no by creation time; built by the worker, rebuildable from the orders. */
  agentOrders: (agent: string) => `agent:{${agent}}:orders`,
  /** hash with a TTL, the window: after-sale id → how many calls hold it, of one person. */
  human: (humanKey: string) => `human:{${humanKey}}`,
  /** stream with a TTL: what happened to an agent's orders, the last of it. */
  feed: (agent: string) => `feed:{${agent}}`,
  /** sorted set with a TTL: names of the events in that feed, so that none comes twice. */
  feedKnown: (agent: string) => `feed:{${agent}}:known`,
  /** set: webhook endpoints that follow an agent's streams, or an account's. */
  followers: (owner: string) => `feed:{${owner}}:followers`,
  /** hash endpoint → the agent that made it, empty for the account: at most 10. */
  webhooks: (account: string) => `acct:{${account}}:webhooks`,
  /** hash: the same of its subscriptions over MCP, which are endpoints, too: at most 50. */
  subscriptions: (account: string) => `acct:{${account}}:subscriptions`,
  /** hash: the same of addresses at which platforms are told of orders: at most 50. */
  platforms: (account: string) => `acct:{${account}}:platforms`,
  /** set: every endpoint of a shard. */
  webhookShard: (shard: number) => `webhooks:{${shard}}`,
  /** hash: an endpoint, its sealed secret, and where it is in each stream; some 1 kB. */
  webhook: (id: string) => `webhook:{${id}}`,
  /** hash subject → JSON list of deliveries that wait, in order; an order is one subject. */
  webhookQueue: (id: string) => `webhook:{${id}}:queue`,
  /** sorted set of those subjects by the time of their next attempt. */
  webhookDue: (id: string) => `webhook:{${id}}:due`,
  /** stream with a TTL: attempts of 7 days, the last 1,000; some 500 bytes each. */
  webhookAttempts: (id: string) => `webhook:{${id}}:attempts`,
  /** hash: an account, or a trial waiting for its binding code; its agents and its terms. */
  account: (account: string) => `acct:{${account}}`,
  /** stream without an end: what was posted to an account's books, in its order. */
  entries: (account: string, mode: Mode) => `${books(account, mode)}:entries`,
  /** hash: id of each of those entries → its place in the stream, so that none comes twice. */
  posted: (account: string, mode: Mode) => `${books(account, mode)}:posted`,
  /** hash book → fen: the sum of the entries. */
  balances: (account: string, mode: Mode) => `${books(account, mode)}:balances`,
  /** hash of JSON: commissions by order, withdrawals, debts, and what each took from where. */
  records: (account: string, mode: Mode) => `${books(account, mode)}:records`,
  /** sorted set of commissions that wait for their month's settlement, by when it was earned. */
  confirmed: (account: string, mode: Mode) => `${books(account, mode)}:confirmed`,
  /** set of months ("2026-11") whose set of earners is not done with, of one mode. */
  earningMonths: (mode: Mode) => `settle:{${mode}}`,
  /** hash account → count: to which a commission was confirmed in that month, by nodes' clocks. */
  earners: (mode: Mode, month: string) => `settle:{${mode}}:${month}`,
  /** string: every account that waited when they were begun is among the earners. */
  earnersNoted: (mode: Mode) => `settle:{${mode}}:noted`,
  /** set of months with a withdrawal that may not be in any payout file yet, of one mode. */
  payoutMonths: (mode: Mode) => `payouts:{${mode}}`,
  /** hash account → count: whose withdrawal was asked for in that month, by nodes' clocks, or is in
   * its payout file; some 60 bytes for each, kept so that the file can be made again. */
  payoutAccounts: (mode: Mode, month: string) => `payouts:{${mode}}:${month}`,
  /** string: every account with withdrawals from before there was a list is in it. */
  payoutsNoted: (mode: Mode) => `payouts:{${mode}}:noted`,
  /** sorted set of settled commissions of which something is left, oldest first. */
  lots: (account: string, mode: Mode) => `${books(account, mode)}:lots`,
  /** sorted set of reversals that later lots have to pay. */
  debts: (account: string, mode: Mode) => `${books(account, mode)}:debts`,
  /** sorted set of withdrawals by the time of their request. */
  withdrawals: (account: string, mode: Mode) => `${books(account, mode)}:withdrawals`,
  /** hash month ("2026-11") → JSON of fen by book: what the books held when it ended. Made
   * again from the entries where a month is missing; some 130 bytes a month. */
  closings: (account: string, mode: Mode) => `${books(account, mode)}:closings`,
  /** hash `day source agent count` → number: what each day of a month ("2026-11") brought. */
  earnedDays: (account: string, month: string, mode: Mode) =>
    `${books(account, mode)}:days:${month}`,
  /** sorted set: agents that were members of the account, by the time they left. */
  formerAgents: (account: string) => `acct:{${account}}:former`,
  /** hash: how an account signs in: sealed address, its hash, the password's hash, the epoch of
   * its sessions, when the address was proved, until when withdrawals are held. */
  login: (account: string) => `acct:{${account}}:login`,
  /** hash: keyed hash of a payee → when it may first be paid, ms; at most 100. */
  payees: (account: string) => `acct:{${account}}:payees`,
  /** string account, with a TTL until the account is made: an address belongs to one. */
  email: (hash: string) => `email:{${hash}}`,
  /** hash order_no → fen, with a TTL: what an agent ordered on a UTC day (days since 1970), and
   * how many calls hold each place. */
  spent: (agent: string, day: number) => `spent:{${agent}}:${day}`,
  /** The same for one of the users it orders for. */
  spentBy: (agent: string, day: number, user: string) => `spent:{${agent}}:${day}:${user}`,
  /** hash with a TTL: the agent that a mark of ours in a platform's orders stands for. */
  subId: (source: string, token: string) => `sub:{${source}:${token}}`,
  /** hash: marks that a platform issued, each given to one agent for good. */
  markPool: (source: string) => `marks:{${source}}`,
  /** stream with a TTL: visits to an agent's links, the last of them. */
  clicks: (agent: string) => `clicks:{${agent}}`,
  /** hash with a TTL: `day source` → visits of a month ("2026-11"). */
  clickDays: (agent: string, month: string) => `clicks:{${agent}}:${month}`,
  /** hash with a TTL: where a link of ours leads, and whose it is. */
  link: (code: string) => `go:{${code}}`,
  /** hash: a line of a platform's order, as it was last reported. */
  mallOrder: (source: string, line: string) => `{mall:${source}}:order:${line}`,
  /** sorted set line id by time of its last change: one agent's, or those that are nobody's. */
  mallOrders: (source: string, agent: string) => `{mall:${source}}:orders:${agent}`,
  /** stream: every change of a line; trimmed by length. */
  mallEvents: (source: string) => `{mall:${source}}:events`,
  /** string: the last change of a line whose commission is where it should be. */
  mallEarned: (source: string) => `{mall:${source}}:earned`,
  /** string: up to when (ms) a platform's orders were read. */
  mallThrough: (source: string) => `{mall:${source}}:through`,
  /** hash: what is read again (`from`, `to` in ms), for which `night`, and what was asked for. */
  mallRepeated: (source: string) => `{mall:${source}}:repeated`,

  /** string account: the trial that a binding code belongs to. */
  binding: (hash: string) => `binding:{${hash}}`,
  /** string: trials that older code made without an end have got one. */
  trialsNoted: 'trials:noted',
} as const

/** Counters: what may be lost in a crash. Every key has a TTL. */
export const counters = {
  /** prefix of token buckets; rate-limiter-flexible appends `:<caller>`. */
  ratePrefix: (policy: string) => `rate:${policy}`,
  rate: (policy: string, caller: string) => `rate:${policy}:${caller}`,
  /** sorted set order_no by the end of its window: of an agent, an account or an address. */
  open: (of: string, id: string) => `open:{${of}:${id}}`,
  /** hash: units of each of those orders and of all, and what was tried on the day. */
  openTally: (of: string, id: string) => `open:{${of}:${id}}:tally`,
  /** string: uses of a purpose by an address on a UTC day (days since 1970). */
  daily: (purpose: string, address: string, day: number) =>
    `daily:${purpose}:{${address}}:${day}`,
  /** string: which node holds a worker's lease. */
  lease: (worker: string) => `lease:${worker}`,
  /** string: a visitor's click was counted a short time ago. */
  click: (code: string, visitor: string) => `click:{${code}}:${visitor}`,
  /** string: token bucket of the calls that all nodes make to a platform. */
  callBudget: (source: string) => `calls:{${source}}`,
  /** sorted set: a tier's agents by when (us) they have used their share of those calls. */
  callShares: (source: string, tier: string) => `calls:{${source}}:of:${tier}`,
  /** string with the TTL that the platform named: until then nobody calls it. */
  callsShut: (source: string) => `calls:{${source}}:shut`,
  /** hash: whose session it is; by the keyed hash of its id. */
  session: (hash: string) => `session:{${hash}}`,
  /** string JSON: a platform's answer to a query, by the query's hash. */
  upstream: (hash: string) => `upstream:{${hash}}`,
  /** set with a TTL: endpoints of a shard with news. What is lost is found by the sweep. */
  webhookNews: (shard: number) => `webhooks:{${shard}}:news`,
  /** string: some node is asking for it just now, for callers of the tier. */
  upstreamFlight: (hash: string, tier: string) => `upstream:{${hash}}:flight:${tier}`,
} as const

/** Shelf: rebuildable from the ledger. */
export const shelf = {
  /** hash: what one catalogue item is found by; the index reads it whole at each change. */
  ownPrefix: 'own:',
  own: (productId: number) => `own:${productId}`,
  /** The same of an affiliate offer: its key decides which index has a document. */
  offerPrefix: 'offer:',
  offer: (productId: number) => `offer:${productId}`,
  /** string: an item as pages show it, ready to send. Many are read with one MGET. */
  itemPrefix: 'item:',
  item: (productId: number) => `item:${productId}`,
  /** string: what the answer for one item says beyond that, and what is noted of its title. */
  detailPrefix: 'detail:',
  detail: (productId: number) => `detail:${productId}`,
  /** The name searches of own goods use; it points at the index of the schema in force. */
  ownAlias: 'idx:own',
  ownIndex: (schema: string) => `idx:own:${schema}`,
  /** The same for affiliate offers: two halves search and load faster than one whole. */
  offersAlias: 'idx:offers',
  offersIndex: (schema: string) => `idx:offers:${schema}`,
  /** hash product_id → `category price weight` of each own item: pages without a query need no
   * search. */
  listed: 'shelf:listed',
  /** The same while a rebuild makes it. */
  listedNext: 'shelf:listed:next',
  /** Names of the projections of accounts and agents that the operator searches: hashes
   * `<name>:<id>`, and an index each. */
  accountView: 'view:account',
  agentView: 'view:agent',
  /** string: version of the catalogue that the shelf holds; odd while a change is under way. */
  catalogueVersion: 'shelf:catalogue:version',
  /** string with a TTL: the change under way; gone with all else when the shelf is flushed. */
  catalogueChange: 'shelf:catalogue:change',
} as const

/** Pub/sub channels. A lost message costs only time: each has a sweep or a short TTL behind it. */
export const channels = {
  /** Sharded, in the partition's slot. Payload: the partition whose outbox grew. */
  doorbell: (partition: number) => `${tag(partition)}:bell`,
  /** Payload: hash of an API key that was changed. */
  keyChanged: 'bell:key',
  /** Payload: the shard in which an endpoint has news. */
  webhookNews: 'bell:webhooks',
} as const

const inBooks = (kind: string, mode: Mode) => ({
  match: `acct:{*}${OF_MODE[mode]}:${kind}`,
  name: new RegExp(`^acct:\\{([^}]+)\\}${OF_MODE[mode]}:${kind}$`),
})

/** What a walk over all keys of the ledger looks for, and what the names it finds stand for. */
export const scans = {
  orders: { match: '{p*}:order:*', name: /^\{p\d+\}:order:([^:]+)$/ },
  agentOrders: { match: 'agent:{*}:orders', name: /^agent:\{([^}]+)\}:orders$/ },
  feeds: { match: 'feed:{*}', name: /^feed:\{([^}]+)\}$/ },
  quotas: { match: 'quota:{*}:*', name: /^quota:\{([^}]+\}:\d+)$/ },
  /** Accounts with anything posted, or with anything of one kind. */
  earners: { sandbox: inBooks('balances', 'sandbox'), live: inBooks('balances', 'live') },
  confirmed: { sandbox: inBooks('confirmed', 'sandbox'), live: inBooks('confirmed', 'live') },
  withdrawals: {
    sandbox: inBooks('withdrawals', 'sandbox'), live: inBooks('withdrawals', 'live'),
  },
  earnedMonths: { match: 'acct:{*:days:*', name: /:days:(\d{4}-\d{2})$/ },
  accounts: { match: 'acct:{*}', name: /^acct:\{([^}]+)\}$/ },
  logins: { match: 'acct:{*}:login', name: /^acct:\{([^}]+)\}:login$/ },
  webhooks: { match: 'webhook:{*}', name: /^webhook:\{([^}]+)\}$/ },
  agents: { match: 'agent:{*}', name: /^agent:\{([^}]+)\}$/ },
  bindings: { match: 'binding:{*}', name: /^binding:\{([^}]+)\}$/ },
  emails: { match: 'email:{*}', name: /^email:\{([^}]+)\}$/ },
  humans: { match: 'human:{*}', name: /^human:\{([^}]+)\}$/ },
} as const

/** Keys that one script changes together: a backup takes them at one moment. */
export const together = {
  partition: (partition: number): string[] => [
    ledger.stock(partition), ledger.supplied(partition), ledger.products(partition),
    ledger.deltas(partition), ledger.unpaid(partition), ledger.due(partition),
    ledger.afterDue(partition), ledger.outbox(partition), ledger.progress(partition),
    ledger.aside(partition), ledger.trialHeld(partition), ledger.fading(partition),
    ledger.paymentsTaken(partition), ledger.paymentChecks(partition), ledger.refunds(partition),
    ledger.refundsFailed(partition),
  ],
  order: (partition: number, orderNo: string): string[] => [
    ledger.order(partition, orderNo), ledger.events(partition, orderNo),
    ledger.after(partition, orderNo), ledger.payments(partition, orderNo),
  ],
  /** With the months ("2026-11") that anything was earned in. */
  books: (account: string, mode: Mode, months: Iterable<string>): string[] => [
    ledger.entries(account, mode), ledger.posted(account, mode), ledger.balances(account, mode),
    ledger.records(account, mode), ledger.confirmed(account, mode), ledger.lots(account, mode),
    ledger.debts(account, mode), ledger.withdrawals(account, mode), ledger.closings(account, mode),
    ...[...months].map((month) => ledger.earnedDays(account, month, mode)),
  ],
} as const

/**
 * Kinds of keys in the order in which a backup copies them: what was made last comes first, so that
 * everything in it finds what it was made from. A key is of the first kind that it matches.
 */
export const backupKinds = [
  { kind: 'places', match: '{mall:*}:*', is: /^\{mall:[^}]+\}:(earned|through|repeated)$/ },
  { kind: 'changes', match: '{mall:*}:*', is: /^\{mall:[^}]+\}:events$/ },
  { kind: 'books', match: 'acct:{*', is: new RegExp('^acct:\\{[^}]+\\}(:live)?:'
    + '(entries|posted|balances|records|confirmed|lots|debts|withdrawals|closings|days:.*)$') },
  { kind: 'lists', match: 'agent:{*}:orders', is: /^agent:\{[^}]+\}:orders$/ },
  { kind: 'partitions', match: '{p*}:*', is: /^\{p\d+\}:(?!sku:)/ },
  { kind: 'claims', match: 'idem:{*', is: /^idem:\{/ },
  { kind: 'keys', match: 'key:{*', is: /^key:\{/ },
  { kind: 'agents', match: 'agent:{*', is: /^agent:\{/ },
  { kind: 'accounts', match: 'acct:{*', is: /^acct:\{/ },
  { kind: 'others', match: '*', is: /^/ },
] as const

/** What a backup leaves out: who works just now, what a restore makes again, and the fence. */
export const notCopied =
  /^(\{p\d+\}:(readiness|by-status)|by-status:built|catalogue:change|ledger:format)$/

/** Held by nodes that run: on counters. */
export const leases = { match: 'lease:*', name: /^lease:(.+)$/ } as const

/** The lines of one platform's orders. */
export const mallLines = (source: string) => ({
  match: `{mall:${source}}:order:*`, name: new RegExp(`^\\{mall:${source}\\}:order:(.+)$`),
})

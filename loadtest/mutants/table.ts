/**
 * Faults to plant, one at a time: each is a change of one text of the product, which stands there
 * once, and the tests of which one must fail by it. `docs/testing.md` has the results.
 */

export interface Mutant {
  readonly why: string
  readonly text: string
  readonly becomes: string
  /** Part of the name of the test file that is likely to find it. */
  readonly first: string
}

export interface Group {
  readonly area: 'states' | 'scripts' | 'validators' | 'gate' | 'money'
  /** Parts of the names of the files that run where that one did not find it. */
  readonly tests: readonly string[]
  readonly mutants: readonly Mutant[]
}

const group = (
  area: Group['area'], tests: readonly string[],
  mutants: readonly (readonly [why: string, text: string, becomes: string, first: string])[],
): Group => ({
  area, tests,
  mutants: mutants.map(([why, text, becomes, first]) => ({ why, text, becomes, first })),
})

const states = group('states', [
  'orders/states', 'orders/aftersales', 'orders/cancel', 'orders/aftersale-steps',
  'commands/orders', 'orders/read', 'testing/moves',
], [
  ['an order is paid after its payment window',
    `'paid', ['paid'], { window: 'open' })`, `'paid', ['paid'])`,
    'orders/states'],
  ['units of an order that expired stay reserved',
    `{ window: 'over', stock: 'return' })`, `{ window: 'over' })`,
    'workers/workers'],
  ['an order expires before its payment window is over',
    `{ window: 'over', stock: 'return' })`, `{ stock: 'return' })`,
    'orders/states'],
  ['units of a cancelled order stay reserved',
    `'closed', ['closed'], { stock: 'return' })`, `'closed', ['closed'])`,
    'orders/cancel'],
  ['a cancelled paid order reports no refund, and its commission stays',
    `['closed', 'refunded'], { stock`, `['closed'], { stock`,
    'orders/states'],
  ['an agent cancels what has shipped',
    `row('agent', UNSHIPPED, 'closed'`, `row('agent', [...UNSHIPPED, 'shipped'], 'closed'`,
    'orders/cancel'],
  ['an order completes under an open after-sale', `'completed', ['completed'],
    { aftersale: { from: ['none'], to: null } })`, `'completed', ['completed'])`,
    'orders/aftersales'],
  ['the operator refunds a closed order',
    `row('operator', ['completed']`, `row('operator', ['completed', 'closed']`,
    'testing/moves'],
  ['what has not shipped is asked to be sent back',
    `from: ['none'], to: 'refunded', type: 'refund_only'`, `from: ['none'], to: 'refunded'`,
    'testing/moves'],
  ['an after-sale is withdrawn while the goods travel back', `withdraw: row('agent', SENT, null, [],
    { aftersale: { from: ['requested',`, `withdraw: row('agent', SENT, null, [],
    { aftersale: { from: ['returning', 'requested',`,
    'orders/aftersales'],
  ['a return is refunded without the goods',
    `to: 'approved', type: 'refund_only'`, `to: 'approved'`,
    'orders/aftersales'],
  ['received goods do not go back to the stock',
    `{ stock: 'return', aftersale: { from: ['received']`, `{ aftersale: { from: ['received']`,
    'orders/aftersales'],
  ['goods that the buyer keeps go back to the stock',
    `{ aftersale: { from: ['approved'], to: 'refunded'`,
    `{ stock: 'return', aftersale: { from: ['approved'], to: 'refunded'`,
    'orders/aftersales'],
  ['after a rejection nothing more can be asked',
    `= ['refunded', 'rejected', 'cancelled']`, `= ['refunded', 'cancelled']`,
    'orders/aftersale'],
  ['a completed order counts as one that still changes',
    `to !== null && who !== 'operator'`, `to !== null`,
    'orders/states'],
])

const moves = group('scripts', [
  'orders/aftersales', 'orders/cancel', 'orders/open-orders', 'orders/aftersale-steps',
  'workers/fading', 'orders/read', 'testing/moves', 'orders/states', 'orders/caps',
], [
  ['a repeated move is made again', 'if done_at then', 'if false then',
    'orders/cancel'],
  ['a move from a status that its row does not name',
    `if not row.from[status] then return {'state', status} end`, '',
    'orders/states'],
  ['an after-sale is moved by the number of another one',
    'local is_other = row.after_type and row.after_type ~= type or row.after_to and not is_same',
    'local is_other = false',
    'orders/aftersale-steps'],
  ['an ended order leaves the stock as it is',
    'if row.returns and tonumber(held) > 0', 'if row.returns and false',
    'orders/cancel'],
  ['units of ended trial orders stay taken from the share of trial keys',
    `local is_last = by_trial and redis.call('HINCRBY', trial_held, product_id, -by_trial) <= 0`,
    'local is_last = false',
    'orders/caps'],
  ['a paid order is dropped after its cancellation',
    `if status == 'pending_payment' and row.to == 'closed'`, `if row.to == 'closed'`,
    'orders/cancel'],
  ['an after-sale event is missing from the outbox',
    `  tell('aftersale')\n`, '',
    'orders/aftersales'],
])

const placing = group('scripts', [
  'orders/place-order', 'orders/cancel', 'orders/open-orders', 'orders/spending', 'orders/caps',
  'gate/owner-limits',
], [
  ['a key is used for another request',
    'owner[1] ~= agent or owner[2] ~= fingerprint', 'owner[1] ~= agent',
    'orders/place-order'],
  ['freight is taken at the free-shipping threshold',
    'if price * qty >= free_from', 'if price * qty > free_from',
    'orders/cancel'],
  ['a quote above the price is charged at the price',
    'tonumber(quoted) ~= amount', 'tonumber(quoted) < amount',
    'orders/cancel'],
  ['one unit over the cap is sold', 'tonumber(qty) > cap then', 'tonumber(qty) > cap + 1 then',
    'orders/place-order'],
  ['one unit is sold that is not there',
    'tonumber(qty) > left then', 'tonumber(qty) > left + 1 then',
    'orders/place-order'],
  ['an order names another merchant', 'if fact[3] ~= merchant_id', 'if false',
    'orders/place-order'],
  ['an order at the limit of the owner is refused',
    'amount > tonumber(amount_max)', 'amount >= tonumber(amount_max)',
    'gate/owner-limits'],
  ['trial keys hold more than their share of a stock',
    'share / 100)) - taken', 'share / 100))',
    'orders/open-orders'],
  ['one order more is open than a tier allows',
    'tonumber(open_max) then', 'tonumber(open_max) + 1 then',
    'orders/open-orders'],
])

const paying = group('scripts', ['orders/payments', 'orders/cashier', 'commands/payments'], [
  ['an overpaid order is taken as paid',
    'tonumber(amount) ~= tonumber(owed)', 'tonumber(amount) < tonumber(owed)',
    'orders/payments'],
  ['another currency pays an order', `currency ~= 'CNY' then return 'currency'`,
    `false then return 'currency'`,
    'orders/payments'],
  ['pretended money pays a live order',
    `(order_mode or 'sandbox') ~= mode then`, `false then`,
    'orders/payments'],
  ['a second payment has another reason than that',
    `  if paid_at then return 'second' end\n`, '',
    'orders/payments'],
  ['a payment is given back twice', `is ~= 'stray' and is ~= 'applied' then`, 'false then',
    'orders/payments'],
  ['a payment after the window pays', `now >= tonumber(expires_at) then return 'late'`,
    `false then return 'late'`,
    'orders/payments'],
])

const limiting = group('scripts', [
  'orders/spending', 'limits/quota', 'limits/limits', 'limits/token-buckets', 'redis/scripts',
  'affiliate/call-budget', 'accounts/api-keys', 'accounts/agents', 'goods/import',
  'goods/catalogue', 'idempotency', 'accounts/accounts', 'orders/place-order',
], [
  ['a fen over the day\'s limit is spent', 'more <= left then', 'more <= left + 1 then',
    'orders/spending'],
  ['an attempt of several calls counts several times',
    'math.max(0, amount - tonumber(held or 0))', 'amount',
    'orders/spending'],
  ['a day has more units than its quota',
    'math.max(0, math.min(want, limit - taken))', 'want',
    'limits/quota'],
  ['an idle bucket grows beyond its burst',
    'math.min(burst, tonumber(level) + passed * rate / 1000000)',
    'tonumber(level) + passed * rate / 1000000',
    'limits/limits'],
  ['a claim is bound anew by every request', 'if not bound then return wanted end',
    'if true then return wanted end',
    'orders/place-order'],
  ['stock falls below zero',
    'left + tonumber(change) < 0', 'left + tonumber(change) < -1',
    'goods/import'],
  ['revoking one key ends all of an agent', `(hash == '' or hash == known)`, 'true',
    'accounts/'],
  ['an agent has one live key too many', 'live > live_max', 'live > live_max + 1',
    'accounts/agents'],
])

const books = group('money', [
  'earnings/books', 'earnings/withdrawals', 'earnings/settle', 'earnings/terms',
  'earnings/races', 'earnings/merge-trial', 'earnings/earnings.properties', 'workers/settlement',
], [
  ['an entry that does not balance is posted', 'if sum ~= 0 then', 'if false then',
    'earnings/books'],
  ['a book ends below zero', `if after[book] < 0 and`, 'if false and',
    'earnings/books'],
  ['more is withdrawn than there is',
    'posting.solvent and after.withdrawable < 0', 'posting.solvent and false',
    'earnings/withdrawals'],
  ['an entry is posted twice', `posting.id) == 1 then return 'known'`,
    `posting.id) == 2 then return 'known'`,
    'earnings/books'],
  ['a commission has the rate of terms that changed meanwhile',
    `posting.rate and posting.rate[1] ~= (terms or '')`, 'false',
    'earnings/terms'],
  ['a commission is rounded up', 'Math.floor((amount * bps) / BPS_MAX)',
    'Math.ceil((amount * bps) / BPS_MAX)',
    'earnings/terms'],
  ['terms count from the moment after they were set',
    'Number(since) <= at', 'Number(since) < at',
    'earnings/terms'],
  ['a lot is emptied and keeps what was taken', 'left: left - fen', 'left',
    'earnings/withdrawals'],
  ['a reversed commission owes what was never withdrawn',
    'commission - left : 0', 'commission : 0',
    'earnings/withdrawals'],
  ['a withdrawal is below the minimum', 'amount < WITHDRAWAL_MIN', 'amount < 0',
    'earnings/withdrawals'],
  ['what was earned in the next month is settled with this one',
    '`(${end}`, \'LIMIT\', 0, SETTLED_BATCH', '`${end}`, \'LIMIT\', 0, SETTLED_BATCH',
    'earnings/settle'],
])

const prices = group('money', [
  'orders/place-order', 'orders/spending', 'orders/aftersales', 'orders/cancel', 'testing/prices',
  'gate/owner-limits',
], [
  ['a preview takes freight at the free-shipping threshold',
    'goods >= freeShipThreshold', 'goods > freeShipThreshold',
    'orders/cancel'],
  ['who changed their mind is given the freight of the way there',
    `payer === 'user' ? amount - freight : amount`, `payer === 'user' ? amount : amount`,
    'orders/aftersales'],
  ['a quote holds for another quantity',
    ' || Number(parts[1]) !== qty', '',
    'orders/place-order'],
  ['an order that was not placed counts to the day of its owner',
    `if (placed.code !== 'placed')`, 'if (false)',
    'orders/spending'],
])

const validators = group('validators', [
  'src/validate', 'contract/json', 'affiliate/fields', 'http/body', 'http/request',
  'testing/contract', 'testing/hostile', 'http/reference/openapi',
], [
  ['one problem is reported, not all', 'allErrors: true', 'allErrors: false',
    'src/validate'],
  ['control characters are taken', 'CONTROL.test(text)', 'false',
    'src/validate'],
  ['half of a surrogate pair is taken', '!value.isWellFormed()', 'false',
    'src/validate'],
  ['an empty text that is a value is dropped',
    'kind !== undefined && !taken.has(kind)', 'kind !== undefined',
    'src/validate'],
  ['a missing key has the error of any other field',
    `keyOnly ? 'idempotency_key_required'`, `false ? 'idempotency_key_required'`,
    'src/validate'],
  ['an unknown field is taken',
    'CLOSED = { additionalProperties: false } as const\n\nconst PRODUCT',
    'CLOSED = { additionalProperties: true } as const\n\nconst PRODUCT',
    'testing/hostile'],
  ['a phone number is any text', `'^\\\\+?[0-9][0-9 -]*$'`, `'^.*$'`,
    'orders/receiver'],
  ['broken UTF-8 is read as question marks', 'if (!isUtf8(bytes)) throw', 'if (false) throw',
    'contract/json'],
  ['a larger body is read', 'BODY_BYTES_MAX = 65_536', 'BODY_BYTES_MAX = 75_536',
    'http/body'],
])

const gate = group('gate', [
  'gate/authenticate', 'gate/gate.test', 'gate/origins', 'gate/owner-limits', 'testing/contract',
  'testing/limits',
  'limits/limits', 'http/cors', 'http/request', 'accounts/api-keys', 'accounts/trials',
  'mcp/endpoint', 'console/session',
], [
  ['two different keys are taken for one',
    'bearer !== undefined && bearer !== key', 'false',
    'gate/authenticate'],
  ['a header that carries no key makes a call without one',
    `.exec(authorization)?.[1] ?? ''`, `.exec(authorization)?.[1]`,
    'http/request'],
  ['a call without a key reaches what needs one',
    `access === 'key' && caller.agent === null`, 'false',
    'testing/contract'],
  ['an agent that may only read writes', `read_only && effect !== 'read'`, 'read_only && false',
    'gate/owner-limits'],
  ['a flood from an address stops a key that was good', ' || this.apiKeys.wasValid(credential)', '',
    'gate/authenticate'],
  ['an address over its limit has its keys looked up', 'at < block.until)', 'false)',
    'gate/authenticate'],
  ['each address of an IPv6 network has a bucket', 'parts.slice(0, 4)', 'parts.slice(0, 8)',
    'gate/authenticate'],
  ['capital letters make another idempotency key', 'bare.toLowerCase()', 'bare',
    'gate/gate.test'],
  ['a foreign host name reaches a local node', 'isLocal && !hostAllowed(',
    'false && !hostAllowed(',
    'gate/origins'],
  ['a page of any site makes trial keys', ' && !LISTED_ONLY.has(path)', '',
    'http/cors'],
  ['trial keys have no limit for all together',
    `\n        ?? await daily('trial-keys-all', 'all', all)`, '',
    'accounts/trials'],
])

export const groups: readonly Group[] =
  [states, moves, placing, paying, limiting, books, prices, validators, gate]

/** The chapters before the operations: how to begin, and what holds everywhere. */
import { escapeHtml } from '../../html.ts'
import type { Tiers } from '../../gate/tiers.ts'
import type { Operation } from '../../operations/define.ts'
import {
  AFTERSALE_STATUSES, MOVES, STATUSES, isFinal, type AftersaleStatus, type Move,
} from '../../orders/states.ts'
import { CATEGORIES } from '../../goods/categories.ts'
import { curl } from './curl.ts'
import { AGENT_EXAMPLE, answerExample, errorBody, successBody } from './examples.ts'
import { block, code, heading, json, prose, table } from './markup.ts'
import { entryOf } from './model.ts'

export interface GuideContext {
  readonly operations: readonly Operation[]
  readonly publicUrl: string
  readonly basePath: string
  readonly tiers: Tiers
  readonly names: ReadonlySet<string>
}

export interface Chapter {
  readonly id: string
  readonly title: string
  readonly html: string
}

const chapter = (id: string, title: string, ...html: string[]): Chapter =>
  ({
    id, title,
    html: `<section class="chapter">${heading(2, id, title)}${html.join('')}</section>`,
  })

const p = (text: string, names?: ReadonlySet<string>): string => `<p>${prose(text, names)}</p>`

export const chapters = (context: GuideContext): Chapter[] => [
  quickStart(context), mcp(context), authentication(context), envelope(context),
  idempotency(context), limits(context), orderLife(context),
]

function quickStart({ operations, publicUrl, basePath, names }: GuideContext): Chapter {
  const line = (name: string): string => {
    const operation = operations.find((one) => one.name === name)
    return operation ? curl(entryOf(operation), `${publicUrl}${basePath}`) : ''
  }
  const step = (text: string, shell: string, label: string): string =>
    `<li>${p(text, names)}${block(shell, label)}</li>`
  return chapter('quick-start', 'Quick start',
    p('From nothing to a parcel on its way. All you need is a shell with `curl`.'),
    '<ol class="steps">',
    step('Get a key. It costs nothing and needs no account.',
      line('create_trial_key'), 'Trial key'),
    step('Keep its `api_key` in a variable: the examples on this page read it from there.',
      'KEY=ak_trial_…', 'Variable'),
    step('Search. Reading goods works without a key, too. Prices are integers in CNY fen.',
      line('search_goods'), 'Search'),
    step('Order with `product_id` and `merchant_id` of an item of the answer. Make one UUID for '
      + 'one purchase, and send the same one when you retry.', line('create_order'), 'Order'),
    '<li>' + p('Open the `pay_url` of the answer in a browser and pay. In the sandbox no money '
      + 'moves, and the parcel then travels by itself.') + '</li>',
    step('Follow the order until it is delivered, every `poll_after_s` seconds.',
      line('get_order_status'), 'Follow'),
    '</ol>')
}

function mcp({ operations, publicUrl, names }: GuideContext): Chapter {
  const server = { type: 'http', url: `${publicUrl}/mcp` }
  const headers = { Authorization: 'Bearer <API_KEY>' }
  const tools = operations.filter(({ tool }) => tool !== false)
  const firstSentence = (text: string): string => text.split(/(?<=[.?]) /)[0] ?? text
  return chapter('mcp', 'MCP',
    p('The same operations are tools of an MCP server (Streamable HTTP). Their '
      + '`structuredContent` equals the `data` of the REST answer. Without a key an agent can '
      + 'search, compare and read; ordering needs one.'),
    json({ mcpServers: { agentmall: server } }, 'Configuration without a key'),
    json({ mcpServers: { agentmall: { ...server, headers } } }, 'Configuration with a key'),
    table(['Tool', 'What it does'], tools.map(({ name, description }) =>
      [prose(name, names), prose(firstSentence(description), names)])))
}

const authentication = ({ names }: GuideContext): Chapter =>
  chapter('authentication', 'Authentication',
    p('Send the key in one of two headers. Over HTTPS only, outside your own machine.'),
    block('Authorization: Bearer <API_KEY>\nX-API-Key: <API_KEY>', 'Headers'),
    p('A key begins with `ak_`, is shown once, and stands for an agent: orders belong to the key '
      + 'that placed them and are invisible to every other. create_trial_key gives one without '
      + 'an account.', names),
    p('Operations marked “open to anyone” work without a key. A key that is wrong or revoked is '
      + 'refused with 401 and never served as if there were none.'))

function envelope({ operations, publicUrl }: GuideContext): Chapter {
  const operation = operations.find(({ name }) => name === 'list_orders')
  const example = operation && answerExample(operation, publicUrl)
  return chapter('envelope', 'Answers',
    p('Every REST answer is one JSON object. `code` is 0 on success, else a number that never '
      + 'changes its meaning. `agent_ref` is the public id of the calling agent, null without a '
      + 'key. Money is an integer in CNY fen (1500 is CNY 15.00); times are ISO 8601 in UTC.'),
    example ? json(successBody(example.data, AGENT_EXAMPLE), 'Success') : '',
    p('On an error `data` says which one and what to do next. Problems of the input are listed '
      + 'all at once. The header X-Request-Id, on every answer, names the request.'),
    json(errorBody('invalid_request'), 'Error'),
    p('Unknown query parameters and body fields are refused, so that a misspelt filter is never '
      + 'silently ignored.'))
}

const idempotency = ({ names }: GuideContext): Chapter =>
  chapter('idempotency', 'Idempotency',
    p('Placing an order takes the header `Idempotency-Key`: a UUID that you make once for one '
      + 'business action and send again with every retry of it. request_aftersale takes it, too, '
      + 'in a scope of its own.', names),
    '<ul>'
    + [
      'Same key, same body: 200 with the order as it is now, `duplicate: true`, and the header '
        + '`Idempotent-Replayed: true`. From any node, at any time, over REST or MCP.',
      'Same key, other body: 422 idempotency_mismatch. Nothing of the earlier order is shown.',
      'A timeout or 503 says nothing about the outcome: send the same request again.',
      'A request that was refused as not valid leaves its key unused.',
      'Sold out (409 out_of_stock): the same request may be tried again with its key for 24 '
        + 'hours. Another body needs another key.',
    ].map((text) => `<li>${prose(text, names)}</li>`).join('')
    + '</ul>')

function limits({ tiers }: GuideContext): Chapter {
  const digits = (value: number): string => value.toLocaleString('en-US')
  return chapter('limits', 'Limits',
    p('Requests are taken from a bucket that fills at a steady rate. Calls that reach an affiliate '
      + 'platform also count against a daily quota (UTC days), one for each platform. A refused '
      + 'call costs nothing.'),
    table(['Tier', 'Requests a second', 'Burst', 'Affiliate calls a day', 'Counted by'],
      Object.entries(tiers).map(([name, tier]) => [
        code(name), digits(tier.rate_per_s), digits(tier.burst),
        tier.daily_quota === 0 ? 'none' : digits(tier.daily_quota),
        tier.per === 'agent' ? 'agent' : 'client address',
      ])),
    p('Every answer says where you stand. After a 429 wait for `Retry-After` seconds.'),
    block('RateLimit-Policy: "default";q=40;w=2\nRateLimit: "default";r=39;t=1', 'Headers'),
    p('A body has at most 65,536 bytes. Pages of a search hold up to 50 items and reach to item '
      + '1,000: narrow the search instead of going further.'))
}

function orderLife({ names }: GuideContext): Chapter {
  const rows = STATUSES.map((status) => {
    const next = Object.values(MOVES)
      .filter(({ from, to }) => to !== null && (from as readonly string[]).includes(status))
      .map(({ to }) => to as string)
    return [
      code(status),
      isFinal(status) ? 'final' : [...new Set(next)].map((to) => code(to)).join(', '),
    ]
  })
  return chapter('order-life', 'The life of an order',
    p('An unpaid order closes by itself when its payment window is over. `events` in the answer '
      + 'of get_order_status tell its story, oldest first, and are never rewritten.', names),
    table(['Status', 'May become'], rows),
    p('An after-sale has a way of its own. Before shipping request_aftersale refunds at once. '
      + 'After it, the order keeps its status until the refund is decided, and is not completed '
      + 'as long as the after-sale is open. `next_actions` in every answer names the tools that '
      + 'make sense now, with their arguments.', names),
    table(['After-sale', 'May become'], AFTERSALE_STATUSES.map((status) =>
      [code(status), aftersaleNext(status)])))
}

function aftersaleNext(status: AftersaleStatus): string {
  const next = Object.values<Move>(MOVES)
    .flatMap(({ aftersale }) => (aftersale?.to && aftersale.from.includes(status)
      ? [aftersale.to] : []))
  return next.length === 0 ? 'final' : [...new Set(next)].map((to) => code(to)).join(', ')
}

export const categories = (): Chapter =>
  chapter('categories', 'Categories', p('The values of `category_id`.'),
    table(['category_id', 'Category', 'Chinese name'], CATEGORIES.map(([id, zh, en]) =>
      [String(id), escapeHtml(en), `<span lang="zh">${escapeHtml(zh)}</span>`])))

/** The chapters before the operations: how to begin, and what holds everywhere. */
import type { Tiers } from '../../limits/tiers.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import {
  AFTERSALE_STATUSES, MOVES, STATUSES, isFinal, type AftersaleStatus, type MoveRow, type Status,
} from '../../orders/states.ts'
import { CATEGORIES } from '../../goods/categories.ts'
import { EVENT_TYPES, exampleOf } from '../../events/catalogue.ts'
import type { Locale } from '../../site/page.ts'
import type { Block, Chapter, Prose } from './markup.ts'
import { AGENT_EXAMPLE, answerExample, errorBody, samplesOf, successBody } from './examples.ts'
import { entryOf, mcpShareOf } from './model.ts'
import { WEBHOOK_PARAMETERS } from './webhooks.ts'
import { WORDS, type Words } from './words.ts'

export interface GuideContext extends Prose {
  readonly operations: readonly OperationSpec[]
  readonly publicUrl: string
  readonly basePath: string
  readonly tiers: Tiers
}

export const chapters = (context: GuideContext): Chapter[] => {
  const words = WORDS[context.locale]
  return [
    quickStart(context, words), mcp(context, words), authentication(words),
    answers(context, words), idempotency(words), limits(context, words), orderLife(words),
    events(context, words),
  ]
}

function quickStart({ operations, publicUrl, basePath }: GuideContext, words: Words): Chapter {
  const step = (text: string, name: string, label: string): Block[] => {
    const operation = operations.find((one) => one.name === name)
    return [{ text }, ...(operation ? [{
      samples: samplesOf(entryOf(operation), `${publicUrl}${basePath}`), label,
    }] : [])]
  }
  return {
    id: 'quick-start', title: words.quickStart,
    blocks: [{ text: words.quickStartLead }, {
      isNumbered: true,
      items: [
        step(words.stepKey, 'create_trial_key', words.trialKey),
        [{ text: words.stepKeep },
          { code: 'export KEY=ak_trial_…', label: words.variable, language: 'sh' }],
        step(words.stepSearch, 'search_goods', words.search),
        step(words.stepOrder, 'create_order', words.order),
        [{ text: words.stepPay }],
        step(words.stepFollow, 'get_order_status', words.follow),
      ],
    }],
  }
}

function mcp({ operations, publicUrl }: GuideContext, words: Words): Chapter {
  const server = { type: 'http', url: `${publicUrl}/mcp` }
  const headers = { Authorization: 'Bearer <API_KEY>' }
  const { tools, restNames, restFields } = mcpShareOf(operations)
  const list = (names: readonly string[]): string =>
    names.map((name) => `\`${name}\``).join(words.listComma)
  const firstSentence = (text: string): string => text.split(/(?<=[.?]) /)[0] ?? text
  return {
    id: 'mcp', title: 'MCP',
    blocks: [
      { text: words.mcpLead.replace('{tools}', String(tools.length))
        .replace('{operations}', String(operations.length)) },
      { text: words.mcpLacks.replace('{names}', list(restNames))
        .replace('{fields}', list(restFields)) },
      { json: { mcpServers: { agentmall: server } }, label: words.withoutKey },
      { json: { mcpServers: { agentmall: { ...server, headers } } }, label: words.withKey },
      {
        heads: [words.tool, words.whatItDoes],
        rows: tools.map(({ name, description }) => [name, firstSentence(description)]),
      },
    ],
  }
}

const authentication = (words: Words): Chapter => ({
  id: 'authentication', title: words.authentication,
  blocks: [
    { text: words.authenticationLead },
    {
      code: 'Authorization: Bearer <API_KEY>\nX-API-Key: <API_KEY>', label: words.headers,
      language: 'http',
    },
    { text: words.keyIs }, { text: words.keyWrong },
  ],
})

function answers({ operations, publicUrl }: GuideContext, words: Words): Chapter {
  const operation = operations.find(({ name }) => name === 'list_orders')
  const example = operation && answerExample(operation, publicUrl)
  return {
    id: 'envelope', title: words.answers,
    blocks: [
      { text: words.answersLead },
      ...(example
        ? [{ json: successBody(example.data, AGENT_EXAMPLE), label: words.success }] : []),
      { text: words.answersError },
      { json: errorBody('invalid_request'), label: words.error },
      { text: words.answersStrict },
    ],
  }
}

const idempotency = (words: Words): Chapter => ({
  id: 'idempotency', title: words.idempotency,
  blocks: [
    { text: words.idempotencyLead }, { items: words.idempotencyRules.map((text) => [{ text }]) },
  ],
})

function limits({ tiers }: GuideContext, words: Words): Chapter {
  const digits = (value: number): string => value.toLocaleString('en-US')
  const local = tiers['keyless']?.local
  return {
    id: 'limits', title: words.limits,
    blocks: [
      { text: words.limitsLead },
      {
        heads: words.limitsHeads,
        rows: Object.entries(tiers).map(([name, tier]) => [
          `\`${name}\``, digits(tier.rate_per_s), digits(tier.burst),
          tier.daily_quota === 0 ? words.none : digits(tier.daily_quota),
          tier.per === 'agent' ? words.byAgent : words.byAddress,
        ]),
      },
      ...(local ? [{ text: words.limitsLocal.replace('{rate}', digits(local.rate_per_s))
        .replace('{burst}', digits(local.burst)) }] : []),
      { text: words.limitsHeaders },
      {
        code: 'RateLimit-Policy: "default";q=40;w=2\nRateLimit: "default";r=39;t=1',
        label: words.headers, language: 'http',
      },
      { text: words.limitsSizes },
    ],
  }
}

const listed = (statuses: readonly string[], words: Words): string =>
  (statuses.length === 0 ? words.final
    : [...new Set(statuses)].map((status) => `\`${status}\``).join(', '))

const orderLife = (words: Words): Chapter => ({
  id: 'order-life', title: words.orderLife,
  blocks: [
    { text: words.orderLifeLead },
    {
      heads: [words.status, words.mayBecome],
      rows: STATUSES.map((status) => [`\`${status}\``, listed(nextOf(status), words)]),
    },
    { text: words.aftersaleLead },
    {
      heads: [words.aftersale, words.mayBecome],
      rows: AFTERSALE_STATUSES.map((status) =>
        [`\`${status}\``, listed(aftersaleNext(status), words)]),
    },
  ],
})

const nextOf = (status: Status): string[] => (isFinal(status) ? [] : Object.values<MoveRow>(MOVES)
  .flatMap(({ from, to }) => (to !== null && from.includes(status) ? [to] : [])))

const aftersaleNext = (status: AftersaleStatus): string[] => Object.values<MoveRow>(MOVES)
  .flatMap(({ aftersale }) => (aftersale?.to && aftersale.from.includes(status)
    ? [aftersale.to] : []))

/** From the catalogue of events. */
function events({ operations, publicUrl, basePath }: GuideContext, words: Words): Chapter {
  const operation = operations.find(({ name }) => name === 'create_webhook')
  const shipped = EVENT_TYPES.find(({ name }) => name === 'order.shipped')
  return {
    id: 'events', title: words.events,
    blocks: [
      { text: words.eventsLead },
      ...(operation ? [{
        samples: samplesOf(entryOf(operation), `${publicUrl}${basePath}`), label: words.webhook,
      }] : []),
      {
        code: 'npm run agentmall -- listen --forward-to http://localhost:3000/hook',
        label: words.listen, language: 'sh',
      },
      { text: words.eventsProof }, { text: words.eventsSignature },
      {
        code: Object.values(WEBHOOK_PARAMETERS)
          .map(({ name, example }) => `${String(name)}: ${String(example)}`).join('\n'),
        label: words.headers, language: 'http',
      },
      ...(shipped ? [{ json: exampleOf(shipped), label: words.event }] : []),
      { text: words.eventsDelivery }, { text: words.eventsFeed }, { text: words.eventsFamilies },
      {
        heads: [words.event, words.when, 'data'],
        rows: EVENT_TYPES.map(({ name, title, data }) => [`\`${name}\``, title,
          Object.keys(data.properties).map((field) => `\`${field}\``).join(', ')]),
      },
    ],
  }
}

export const categories = (locale: Locale): Chapter => {
  const words = WORDS[locale]
  return {
    id: 'categories', title: words.categories,
    blocks: [
      { text: words.categoriesLead },
      {
        heads: ['category_id', words.category, words.chineseName],
        rows: CATEGORIES.map(([id, zh, en]) => [String(id), en, zh]),
      },
    ],
  }
}

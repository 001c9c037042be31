import { Type } from 'typebox'
import { RANKING_MODES } from '../language/understanding.ts'
import { SOURCE_NAMES } from '../../adapters/names.ts'
import {
  PriceBreakdown, QualifiedItemId, Link, SourceField, UPSTREAM_FAILS,
} from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'
import {
  CLOSED, Fen, FinalPrice, Nullable, OneOf, Optional, PriceMax, PriceMin, restOnly, Text,
} from '../contract/fields.ts'

const Reason = Text(200)
const { payable } = PriceBreakdown.properties

const Buy = Type.Object({
  tool: Nullable(Text(40)),
  arguments: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])),
  purchase_url: Nullable(Link),
}, CLOSED)

const Offer = Type.Object({
  item_id: QualifiedItemId,
  source: SourceField,
  shop: Nullable(Text(100)),
  price: PriceBreakdown,
  buy: Buy,
  /** How sure it is that this is the same product. */
  match: Type.Object({
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    reasons: Type.Array(Reason, { maxItems: 10 }),
  }, CLOSED),
}, CLOSED)

const Item = Type.Object({
  item_id: QualifiedItemId,
  title: Text(200),
  images: Type.Array(Link, { maxItems: 3 }),
  price: PriceBreakdown,
  final_price: FinalPrice,
  shop: Nullable(Text(100)),
  sales: Nullable(Type.Integer({ minimum: 0, description: 'Of the offer that sold most' })),
  rating: Nullable(Type.Number({ minimum: 0, maximum: 5 })),
  score: Type.Number({ minimum: 0, maximum: 100 }),
  score_parts: Type.Array(Type.Object({
    name: Text(40), weight: Type.Number(), raw: Type.Number(), points: Type.Number(),
  }, CLOSED), { maxItems: 12 }),
  reasons: Type.Array(Reason, { maxItems: 10 }),
  buy: Buy,
  offers: Type.Array(Offer, { maxItems: 10 }),
}, CLOSED)

export const cpsSmartSearch = defineOperation({
  name: 'cps_smart_search',
  title: 'Smart search over all malls',
  description: 'Start here for "find me a …": takes the user\'s sentence (Chinese or English, '
    + 'with budget and features), asks three malls, the curated shelf and food coupons at once, '
    + 'merges equal products and ranks them. Prices are in fen. Without a key only '
    + 'the shelf answers. For goods to order here use search_goods. Next: cps_compare, or the '
    + 'tool named in buy.',
  access: 'anyone',
  effect: 'read',
  openWorld: true,
  route: 'POST /cps/smart-search',
  input: Type.Object({
    query: Text(200, 'The user\'s words'),
    budget_min: Optional(PriceMin),
    budget_max: Optional(PriceMax),
    mode: Optional(OneOf(RANKING_MODES, 'Default value')),
    sources: Optional(Type.Array(SourceField, { minItems: 1, maxItems: SOURCE_NAMES.length,
      uniqueItems: true, description: 'Default all' })),
    page_size: Optional(Type.Integer({
      minimum: 1, maximum: 30, default: 8, description: 'Items',
    })),
  }, CLOSED),
  output: Type.Object({
    understood: Type.Object({
      terms: Type.Array(Text(60), { maxItems: 20 }),
      category_id: Nullable(Type.Integer()),
      budget_min: Nullable(Fen()),
      budget_max: Nullable(Fen()),
      qty: Nullable(Type.Integer()),
      wanted: Type.Array(Text(60), { maxItems: 20 }),
      refused: Type.Array(Text(60), { maxItems: 20 }),
      /** Words that say nothing to anybody here. */
      unclear: Type.Array(Text(60), { maxItems: 20 }),
      mode: OneOf(RANKING_MODES),
    }, CLOSED),
    items: Type.Array(Item, { maxItems: 30 }),
    near_misses: Type.Array(Type.Object({
      item_id: QualifiedItemId, title: Text(200), final_price: FinalPrice, payable,
      over_budget: Fen('Of payable, in fen'),
    }, CLOSED), { maxItems: 5 }),
    relaxed: Type.Array(Reason, { maxItems: 5 }),
    clarify: Type.Array(Reason, { maxItems: 3 }),
    sources: Type.Array(Type.Object({
      source: SourceField,
      status: OneOf(['ok', 'timeout', 'error', 'open', 'skipped']),
      ms: restOnly(Type.Integer({ minimum: 0 })),
      count: Type.Integer({ minimum: 0 }),
      note: Optional(Reason),
    }, CLOSED)),
    partial: Type.Boolean(),
    ranking_policy: restOnly(Type.Object({
      version: Text(20), commission_used: Type.Literal(false),
    }, CLOSED)),
  }, CLOSED),
  fails: UPSTREAM_FAILS,
  example: { query: '200元以内的电热水壶 1.7升 不要塑料', mode: 'value', page_size: 2 },

  async handle(input, { caller, services }) {
    return await services.affiliate.smartSearch(input, caller)
  },
})

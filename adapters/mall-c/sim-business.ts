/** What the simulated mall C answers to a request that its gateway let through. */
import { linkOn } from '../links.ts'
import type { Catalogue, SimOffer, SimSearch } from '../simulator/catalogue.ts'
import { idOf, indexOfId } from '../simulator/ids.ts'
import { DAY_MS } from '../time.ts'
import { NAME } from './dialect.ts'
import { Refused } from './sim-gateway.ts'
import { HOST, readClick } from './sim-links.ts'

export type Asked = Readonly<Record<string, string | undefined>>

const PAGE_SIZES = { min: 10, max: 100 } as const
/** As the older ids are: numbers, which tell nothing of the newer. */
export const FIRST_GOODS_ID = 600_000_000_000

export function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    throw new Refused(10000)
  }
}

export function pageOf(asked: Asked, sizeDefault: number): { page: number, pageSize: number } {
  const page = Number(asked['page'] ?? 1)
  const pageSize = Number(asked['page_size'] ?? sizeDefault)
  const fits = Number.isInteger(page) && page >= 1 && page <= 10_000
    && pageSize >= PAGE_SIZES.min && pageSize <= PAGE_SIZES.max
  if (!fits) throw new Refused(10000)
  return { page, pageSize }
}

export function searchGoods(catalogue: Catalogue, asked: Asked, now: number): object {
  const keyword = asked['keyword']
  if (!keyword) throw new Refused(10000)
  const list = `list_${Buffer.from(keyword).toString('base64url').slice(0, 40)}`
  const { page, pageSize } = pageOf(asked, 100)
  if (page > 1 && asked['list_id'] !== undefined && asked['list_id'] !== list) {
    throw new Refused(10000)
  }
  const ranges = (parsed(asked['range_list']) ?? []) as readonly Record<string, number>[]
  const paid = ranges.find((range) => range['range_id'] === 1)
  const found = /^https?:/.test(keyword) ? offersBehind(catalogue, keyword) : catalogue.search({
    q: keyword, page, pageSize, min: paid?.['range_from'], max: paid?.['range_to'],
    withCoupon: asked['with_coupon'] === 'true', sort: SORTS[asked['sort_type'] ?? '0'],
  })
  return {
    goods_list: found.offers.map((offer) => goodsRow(offer, now)), total_count: found.total,
    list_id: list, search_id: `search_${list}`,
  }
}

const SORTS: Readonly<Record<string, SimSearch['sort']>> =
  { 6: 'sales', 9: 'price_asc', 10: 'price_desc' }

/** The mall's search takes its links too: of items, by either id, and of promotions. */
function offersBehind(catalogue: Catalogue, link: string) {
  const params = linkOn([HOST], link)?.searchParams
  const old = Number(params?.get('goods_id') ?? NaN) - FIRST_GOODS_ID
  const index = readClick(link)?.index ?? indexOfId(NAME, params?.get('goods_sign') ?? '') ?? old
  const offer = catalogue.offer(index)
  return { offers: offer ? [offer] : [], total: offer ? 1 : 0 }
}

export const offerOf = (catalogue: Catalogue, id: string): SimOffer | null => {
  const index = indexOfId(NAME, id)
  return index === null ? null : catalogue.offer(index)
}

export function detail(catalogue: Catalogue, asked: Asked, now: number): object {
  if (!asked['goods_sign']) throw new Refused(10000)
  const offer = offerOf(catalogue, asked['goods_sign'])
  return { goods_details: offer ? [{
    ...goodsRow(offer, now),
    goods_gallery_urls: offer.images,
  }] : [] }
}

function goodsRow(offer: SimOffer, now: number): object {
  const { product, price, coupon, sales } = offer
  return {
    goods_sign: idOf(NAME, product.index),
    goods_name: product.title,
    goods_image_url: offer.images[0], goods_thumbnail_url: offer.images[0],
    min_group_price: price, min_normal_price: Math.round(price * 0.12) * 10,
    has_coupon: coupon !== null,
    coupon_discount: coupon?.amount ?? 0, coupon_min_order_amount: coupon?.threshold ?? 0,
    coupon_total_quantity: coupon ? 1000 : 0, coupon_remain_quantity: coupon ? 900 : 0,
    coupon_start_time: coupon ? Math.floor((now - DAY_MS) / 1000) : 0,
    coupon_end_time: coupon ? Math.floor((now + DAY_MS) / 1000) : 0,
    promotion_rate: offer.commissionBps / 10,
    sales_tip: sales < 10_000 ? String(sales) : `${Math.floor(sales / 1000) / 10}万+`,
    desc_txt: '高', serv_txt: '中', lgst_txt: '高',
    mall_id: 1000 + product.index, mall_name: offer.shop, merchant_type: 3,
    opt_name: product.category, brand_name: product.brand,
    subsidy_duo_amount_ten_million: 1,
  }
}

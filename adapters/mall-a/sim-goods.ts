/** Mall A's searches and details, in both generations of its methods. */
import type { Catalogue, SimOffer, SimSearch } from '../simulator/catalogue.ts'
import { between, chance } from '../simulator/chance.ts'
import { idOf, indexOfId } from '../simulator/ids.ts'
import { DAY_MS } from '../time.ts'
import { METHODS, NAME, type Method } from './dialect.ts'
import { HOST, invalid, missing, refuse, whole, yuan, type Asked } from './sim-wire.ts'

/** The tail is another one each day; the head stays. */
export const wireId = (index: number, now: number): string => `${idOf(NAME, index)}-${
  Math.floor(chance(NAME, index, Math.floor(now / DAY_MS)) * 36 ** 6).toString(36)}`

export const indexOf = (id: string): number | null => indexOfId(NAME, id.split('-', 1)[0] ?? '')

const SORTS: Readonly<Record<string, SimSearch['sort']>> = {
  match_des: undefined, total_sales_des: 'sales',
  final_promotion_price_asc: 'price_asc', final_promotion_price_des: 'price_desc',
  price_asc: 'price_asc', price_des: 'price_desc',
}
const ALL = 1_000_000

export function search(catalogue: Catalogue, asked: Asked, method: Method, now: number): object {
  const { adzone_id: adzone, q, sort = 'match_des', biz_scene_id: scene } = asked
  if (!adzone) return missing('adzone_id')
  if (!q) return missing('q')
  if (/^https?:/.test(q) && scene !== '2') return invalid('q')
  const page = whole(asked['page_no'], 1, ALL)
  const pageSize = whole(asked['page_size'], 20, 100)
  if (page === null || pageSize === null || !(sort in SORTS)) {
    return refuse(41, 'Invalid Arguments', 'isv.invalid-parameter')
  }
  const legacy = method === METHODS.searchLegacy
  const min = Number(asked['start_price'] ?? 0) * 100
  const max = Number(asked['end_price'] ?? ALL) * 100
  // The older search bounds the price before coupons.
  const found = catalogue.search({
    q, page: 1, pageSize: ALL, sort: SORTS[sort], withCoupon: asked['has_coupon'] === 'true',
    ...(!legacy && { min, max }),
  }).offers.filter(({ price }) => !legacy || (price >= min && price <= max))
  const rows = found.slice((page - 1) * pageSize, page * pageSize).map((offer) => {
    // Who looks up one known item is not told its id, unless comparing prices was granted.
    const id = offer.product.title === q && scene !== '2' ? undefined
      : wireId(offer.product.index, now)
    return legacy ? flatRow(offer, id) : { item_id: id, ...nestedRow(offer) }
  })
  return { total_results: found.length, result_list: { map_data: rows } }
}

export function details(catalogue: Catalogue, asked: Asked, method: Method): object {
  const legacy = method === METHODS.itemsLegacy
  const name = legacy ? 'num_iids' : 'item_id'
  const ids = asked[name]?.split(',')
  if (!ids) return missing(name)
  if (ids.length > (legacy ? 40 : 20)) return invalid(name)
  const rows = ids.flatMap((id) => {
    const index = indexOf(id)
    const offer = index === null ? null : catalogue.offer(index)
    if (!offer) return []
    // Its own id is digits, as of old; what was asked stands beside.
    const own = String(600_000_000_000 + offer.product.index)
    if (!legacy) return { item_id: own, input_item_iid: id, ...nestedRow(offer) }
    const { shop_title: nick, category_name: leaf, ...row } = flatRow(offer, undefined)
    return { num_iid: own, input_num_iid: id, ...row, nick, cat_leaf_name: leaf }
  })
  const key = legacy ? 'n_tbk_item' : 'tbk_item_detail'
  return { results: { [key]: rows } }
}

/** As the mall writes addresses: without the scheme, where that is its own. */
const picture = (url: string | undefined): string => (url ?? '').replace(/^https:/, '')

const shown = ({ product, images, shop, sales }: SimOffer) => ({
  title: product.title,
  pict_url: picture(images[0]),
  small_images: { string: images.slice(1, 2).map(picture) },
  category_name: product.category,
  shop_title: shop,
  user_type: /旗舰店|官方店/.test(shop) ? 1 : 0,
  volume: sales,
})

function nestedRow(offer: SimOffer): object {
  const { product, price, coupon, expected, commissionBps } = offer
  const step = coupon && {
    promotion_title: '商品券', promotion_id: `p${product.index}`,
    promotion_desc: `满${yuan(coupon.threshold)}元减${yuan(coupon.amount)}元`,
    promotion_start_time: '1767196800000', promotion_end_time: '4102444800000',
  }
  return {
    item_basic_info: { ...shown(offer), brand_name: product.brand },
    price_promotion_info: {
      reserve_price: yuan(Math.round(price * 1.2)), zk_final_price: yuan(price),
      final_promotion_price: yuan(expected.payable),
      ...(step && (expected.coupon ? {
        final_promotion_path_list: { final_promotion_path_map_data: [
          { ...step, promotion_fee: yuan(expected.coupon.amount) },
        ] },
      } : { more_promotion_list: { more_promotion_map_data: [step] } })),
    },
    publish_info: {
      income_rate: String(commissionBps / 100), commission_type: 'MKT',
      income_info: {
        commission_amount: yuan(Math.floor(expected.payable * commissionBps / 10_000)),
        subsidy_amount: '0.00',
      },
      click_url: `//s.click.${HOST}/t?e=neutral`,
    },
  }
}

function flatRow(offer: SimOffer, id: string | undefined) {
  const { price, coupon, commissionBps } = offer
  return {
    ...shown(offer),
    ...(id !== undefined && { item_id: id, commission_rate: String(commissionBps) }),
    reserve_price: yuan(Math.round(price * 1.2)), zk_final_price: yuan(price),
    ...(coupon && id !== undefined && {
      coupon_id: 'c1', coupon_amount: yuan(coupon.amount),
      coupon_start_fee: yuan(coupon.threshold),
      coupon_info: `满${yuan(coupon.threshold)}元减${yuan(coupon.amount)}元`,
      coupon_start_time: '2026-01-01', coupon_end_time: '2099-12-31',
      coupon_total_count: 1000, coupon_remain_count: 900,
    }),
  }
}

const SHOP_KINDS = /旗舰店|专卖店|官方店|优选店/

export function shops(catalogue: Catalogue, asked: Asked): object {
  const { q, fields } = asked
  if (!fields) return missing('fields')
  if (!q) return missing('q')
  const page = whole(asked['page_no'], 1, 100)
  const pageSize = whole(asked['page_size'], 20, 100)
  if (page === null || pageSize === null) return invalid('page_no')
  const goods = q.replace(SHOP_KINDS, '')
  const { offers } = catalogue.search({ q: goods, page: 1, pageSize: 2000 })
  // A shop's picture is that of the first thing it sells.
  const first = new Map(offers.toReversed().map((offer) => [offer.shop, offer]))
  const found = [...new Set(offers.map(({ shop }) => shop))].filter((shop) =>
    (goods === q || shop.includes(q))
    && (asked['is_tmall'] !== 'true' || /旗舰店|官方店/.test(shop)))
  const rows = found.slice((page - 1) * pageSize, page * pageSize).map((shop) =>
    shopRow(shop, first.get(shop)?.images[0]))
  return { total_results: found.length, results: { n_tbk_shop: rows } }
}

function shopRow(title: string, image: string | undefined): object {
  const id = `22${between(10 ** 8, 10 ** 9, title)}00000000`
  return {
    user_id: id, shop_title: title, seller_nick: title,
    shop_type: /旗舰店|官方店/.test(title) ? 'B' : 'C',
    pict_url: picture(image), shop_url: `//shop${id}.${HOST}/`,
  }
}

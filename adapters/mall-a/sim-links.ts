/** Mall A's conversions: links that carry the click, with share codes or without. */
import { carriedBy, packed } from '../simulator/carried.ts'
import type { Catalogue } from '../simulator/catalogue.ts'
import type { SimClick } from '../simulator/orders.ts'
import type { ShortLinks } from '../simulator/short-links.ts'
import { linkOn } from '../links.ts'
import { indexOf } from './sim-goods.ts'
import { ADZONE, HOST, invalid, missing, POOL, type Asked } from './sim-wire.ts'

const LISTS = [
  ['item_id_list', 'item_url_list', 'input_item_id'],
  ['material_list', 'material_url_list', 'input_material_url'],
] as const

/** Ids of others are refused, as the gateway does. */
export function convert(catalogue: Catalogue, short: ShortLinks, asked: Asked): object {
  const { adzone_id: adzone, relation_id: relation = '', special_id: special = '' } = asked
  if (!adzone) return missing('adzone_id')
  if (adzone !== ADZONE && !POOL.includes(adzone)) return invalid('adzone_id')
  for (const id of [relation, special]) {
    if (id !== '' && !POOL.includes(id)) return invalid('relation_id')
  }
  const [list, key, input] = LISTS.find(([name]) => asked[name]) ?? []
  if (!list || !key || !input) return missing('item_id_list')
  const position = { adzone, relation, special }
  const rows = (asked[list] ?? '').split(',').map((material) => {
    const id = /[?&]id=([\w-]+)/.exec(material)?.[1] ?? material
    const index = indexOf(id)
    const offer = index === null ? null : catalogue.offer(index)
    if (!offer || (material !== id && !linkOn([HOST], material))) {
      return { [input]: material, code: 1001, msg: '商品不存在或未参加推广' }
    }
    return {
      [input]: material, code: 0, msg: '',
      link_info_dto: linksOf({
        index: offer.product.index, subId: subIdOf(position), echo: { ...position, item: id },
      }, short, offer.coupon !== null),
      promotion_info_dto: { promotion_price: offer.expected.payable },
    }
  })
  return { data: { [key]: { [key]: rows } } }
}

type Position = Readonly<Record<'adzone' | 'relation' | 'special', string>>

const subIdOf = ({ adzone, relation, special }: Position): string =>
  relation || special || (adzone === ADZONE ? '' : adzone)

function linksOf(click: SimClick, short: ShortLinks, coupon: boolean): object {
  const { index, echo: { item } } = click
  const carried = packed(click)
  const kinds = coupon ? ['coupon', 'cps'] : ['cps']
  return Object.fromEntries([['item_id', item], ['material_type', 1], ...kinds.flatMap((kind) => [
    [`${kind}_long_url`, `//s.click.${HOST}/t?e=${carried}&kind=${kind}${TAIL}`],
    [`${kind}_short_url`, short.on(`s.click.${HOST}`, click)],
    // Not every conversion comes with its codes.
    ...(index % 3 === 0 ? [] : [
      [`${kind}_short_tpwd`, codeOf(carried)], [`${kind}_full_tpwd`, textOf(click, short)],
    ]),
  ])])
}

/** With escapes of both cases: who decodes and encodes it again spoils it. */
const TAIL = '&union_lens=lensId%3A1%2d2'
const codeOf = (carried: string): string => `￥${carried.slice(-11)}￥`
const textOf = (click: SimClick, short: ShortLinks): string =>
  `5${codeOf(packed(click))} ${short.toOpen(`m.${HOST}`, click)}\n打开应用即可查看`

/** Only for links that the mall issued, byte for byte. */
export function shareCode(short: ShortLinks, { url }: Asked): object {
  if (!url) return missing('url')
  const click = readPromotion(url)
  if (!click || !url.endsWith(TAIL)) return invalid('url')
  return { data: { password_simple: codeOf(packed(click)), model: textOf(click, short) } }
}

export const readPromotion = (link: string): SimClick | null =>
  carriedBy(HOST, link, 'e')

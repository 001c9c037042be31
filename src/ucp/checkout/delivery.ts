/** What a platform chose of fulfillment, and the receiver of our orders that it comes to. */
import type { Details } from '../../orders/session-store.ts'
import type { Receiver } from '../../orders/record.ts'
import { errorMessage, type UcpMessage } from '../problems.ts'
import type { UcpBuyer, CheckoutInput, Destination } from './fields.ts'

/** Of a checkout's details. */
export interface Delivery {
  readonly buyer?: UcpBuyer
  readonly method: string
  readonly type: string
  readonly destinations: readonly (Destination & { readonly id: string })[]
  readonly selected?: string
  readonly group: string
  readonly option: string
}

export const STANDARD = 'standard'
const SHIPPING = 'shipping'
const CHINA = /^(?:CN|CHN|China|中国|中華人民共和國|中华人民共和国)?$/i
const PHONE = /^\+?[0-9][0-9 -]{4,19}$/
/** A district stands at the end of the city, or at the beginning of the street. */
const CITY_AND_DISTRICT = /^(.+?(?:市|自治州|盟|地区))(.+[区县市旗])$/
const DISTRICT_AND_STREET = /^([^0-9\s]{1,12}?[区县旗])(.+)$/
const HAN = /^\p{Script=Han}+$/u

/** Without the extension of fulfillment nothing of it counts. */
export function detailsOf(
  { buyer, fulfillment }: CheckoutInput, hasFulfillment: boolean,
): Details {
  const [method] = hasFulfillment ? fulfillment?.methods ?? [] : []
  const [group] = method?.groups ?? []
  const destinations = (method?.destinations ?? []).map((one, at) =>
    ({ ...one, id: one.id || `destination_${at + 1}` }))
  const selected = method?.selected_destination_id
    ?? (destinations.length === 1 ? destinations[0]?.id : undefined)
  const delivery: Delivery = {
    ...(buyer && { buyer }),
    method: method?.id || 'shipping_1',
    type: method?.type || SHIPPING,
    destinations,
    ...(selected !== undefined && { selected }),
    group: group?.id || 'package_1',
    option: group?.selected_option_id || STANDARD,
  }
  return delivery as unknown as Details
}

export const deliveryOf = (details: Details): Delivery => ({
  method: 'shipping_1', type: SHIPPING, destinations: [], group: 'package_1', option: STANDARD,
  ...details,
})

/** What is shown of an address once it is an order's. */
export const maskedAddress = (to: Receiver): Destination => ({
  street_address: to.address, address_locality: `${to.city}${to.district}`,
  address_region: to.province, address_country: 'CN',
})

const METHOD = '$.fulfillment.methods[0]'

const missing = (path: string, content: string): UcpMessage =>
  errorMessage('field_required', content, 'recoverable', path)

type Received = { readonly receiver: Receiver } | { readonly messages: UcpMessage[] }

/** The receiver, or what is missing for one. */
export function receiverOf(delivery: Delivery): Received {
  const { destinations, selected, type, option, buyer = {} } = delivery
  if (type !== SHIPPING) {
    return { messages: [errorMessage('fulfillment_method_invalid',
      'Goods are shipped: there is no other method.', 'recoverable', `${METHOD}.type`)] }
  }
  if (option !== STANDARD) {
    return { messages: [errorMessage('fulfillment_option_invalid',
      'There is one option: standard.', 'recoverable', `${METHOD}.groups[0].selected_option_id`)] }
  }
  const at = destinations.findIndex(({ id }) => id === selected)
  const chosen = destinations[at]
  if (!chosen) {
    return { messages: [missing(`${METHOD}.selected_destination_id`,
      'Send a destination in China, and select it.')] }
  }
  return receiverAt(chosen, `${METHOD}.destinations[${at}]`, buyer)
}

function receiverAt(
  chosen: Destination, path: string, buyer: UcpBuyer,
): Received {
  if (!CHINA.test(chosen.address_country ?? '')) {
    return { messages: [errorMessage('address_undeliverable',
      'Goods are delivered in mainland China.', 'recoverable', `${path}.address_country`)] }
  }
  const name = nameOf(chosen) || nameOf(buyer)
  const phone = chosen.phone_number || buyer.phone_number || ''
  const { address_region: province = '', address_locality: locality = '' } = chosen
  const street = chosen.street_address ?? ''
  const messages = [
    ...(name ? [] : [missing(`${path}.last_name`, 'The name of the receiver is required.')]),
    ...(PHONE.test(phone) ? []
      : [missing(`${path}.phone_number`, 'The phone number of the receiver is required.')]),
    ...(province ? [] : [missing(`${path}.address_region`, 'The province is required.')]),
    ...(locality ? [] : [missing(`${path}.address_locality`, 'The city is required.')]),
    ...(street ? [] : [missing(`${path}.street_address`, 'The street address is required.')]),
  ]
  if (messages.length > 0) return { messages }
  const [, city = locality, inCity] = CITY_AND_DISTRICT.exec(locality) ?? []
  const [, inStreet, rest] = inCity === undefined ? DISTRICT_AND_STREET.exec(street) ?? [] : []
  const address = [rest ?? street, chosen.extended_address].filter(Boolean).join(' ')
  return {
    receiver: {
      // Some cities have no districts.
      name, phone, province, city, district: inCity ?? inStreet ?? city,
      address: address.slice(0, ADDRESS_LENGTH_MAX),
    },
  }
}

const ADDRESS_LENGTH_MAX = 200
const NAME_LENGTH_MAX = 50

/** Chinese names are written without a space, the family's first. */
function nameOf({ first_name = '', last_name = '' }: UcpBuyer): string {
  const name = HAN.test(`${last_name}${first_name}`) ? `${last_name}${first_name}`
    : [first_name, last_name].filter(Boolean).join(' ')
  return name.slice(0, NAME_LENGTH_MAX)
}

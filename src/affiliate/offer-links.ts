/**
 * Addresses of malls' offers in long lists. An address names agent and offer, and is signed: to
 * list offers asks no mall and writes nothing. Whoever opens one has the offer converted for that
 * agent, the first time; later visitors are led on by the link that was made then.
 */
import { type Cipher, createCipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { SOURCE_NAMES, type SourceName } from '../../adapters/names.ts'
import { readAgent } from '../accounts/agent-records.ts'
import type { AgentCaller, Client } from '../contract/caller.ts'
import { Refusal } from '../contract/errors.ts'
import type { Goods } from '../goods/goods.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { createConvert } from './convert.ts'
import { splitItemId } from './items.ts'
import type { Links, Target } from './links.ts'

export const OFFERS_PATH = '/go/offers'

export interface OfferLinks {
  /** What an agent shows its user for an offer. */
  address(agent: string, itemId: string): string
  /** The beginning of an offer's address, which is the same for all agents. */
  addressOf(itemId: string): string
  /** What stands behind it for an agent, for each of these offers: all of one length. */
  marksOf(agent: string, itemIds: readonly string[]): string
  /** Where an address leads; undefined where it is none of ours, or its agent has gone. */
  open(address: OfferAddress, client: Client): Promise<OpenedOffer | undefined>
}

/** What stands in an address. */
export interface OfferAddress {
  readonly agent: string
  readonly itemId: string
  readonly signature: string
}

export interface OpenedOffer {
  readonly url: string
  /** What attributes the sale; undefined where the mall made no link. */
  readonly link?: { readonly code: string, readonly target: Target }
}

interface Options {
  readonly secrets: Pick<Secrets, 'keyedHash' | 'id'>
  readonly ledger: RedisClient
  readonly goods: Pick<Goods, 'offer'>
  readonly links: Links
  readonly convert: ReturnType<typeof createConvert>
  readonly publicUrl: string
  readonly log: Logger
}

const PURPOSE = 'offer'
const AGENTS_MAX = 1000
/** As links have them. */
const CODE_LENGTH = 12

export function createOfferLinks(options: Options): OfferLinks {
  const { secrets, publicUrl } = options
  const signers = new LRUCache<string, Cipher>({ max: AGENTS_MAX })

  function signerOf(agent: string): Cipher {
    let signer = signers.get(agent)
    if (!signer) {
      const key = Buffer.from(secrets.keyedHash(PURPOSE, agent), 'base64url')
      signer = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
      signers.set(agent, signer)
    }
    return signer
  }

  const addressOf = (itemId: string): string =>
    `${publicUrl}${OFFERS_PATH}/${encodeItemId(itemId)}/`

  function marksOf(agent: string, itemIds: readonly string[]): string {
    const signatures = signaturesOf(signerOf(agent), itemIds)
    let marks = ''
    for (let at = 0; at < signatures.length; at += SIGNATURE_LENGTH) {
      marks += `${agent}/${signatures.slice(at, at + SIGNATURE_LENGTH)}`
    }
    return marks
  }

  return {
    address: (agent, itemId) => addressOf(itemId) + marksOf(agent, [itemId]),
    addressOf,
    marksOf,
    async open({ agent, itemId, signature }, client) {
      return isSame(signaturesOf(signerOf(agent), [itemId]), signature)
        ? await openOffer(options, { agent, itemId, client }) : undefined
    },
  }
}

const BLOCK_BYTES = 16

const SIGNATURE_LENGTH = 2 * BLOCK_BYTES

/**
 * One block of AES under the agent's own key signs an offer, in hex: a page of them costs what a
 * single HMAC does. Blocks stand for themselves, so that one cipher signs one list after another.
 */
const signaturesOf = (signer: Cipher, itemIds: readonly string[]): string =>
  signer.update(blocksOf(itemIds)).toString('hex')

/** Of lists that come again with the page that they are of. */
const knownBlocks = new WeakMap<readonly string[], Buffer>()

function blocksOf(itemIds: readonly string[]): Buffer {
  let blocks = knownBlocks.get(itemIds)
  if (!blocks) knownBlocks.set(itemIds, blocks = Buffer.concat(itemIds.map(blockOf)))
  return blocks
}

/** An id as a block: itself where it fits. */
function blockOf(itemId: string): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  if (Buffer.byteLength(itemId) < BLOCK_BYTES) block.write(itemId)
  else createHash('sha256').update(itemId).digest().copy(block)
  return block
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** A colon may stand in a path. */
const encodeItemId = (itemId: string): string => encodeURIComponent(itemId).replace('%3A', ':')

async function openOffer(
  { secrets, ledger, goods, links, convert, log }: Options,
  { agent, itemId, client }: { agent: string, itemId: string, client: Client },
): Promise<OpenedOffer | undefined> {
  const code = secrets.id(PURPOSE, agent, itemId).slice(0, CODE_LENGTH)
  const known = await links.target(code)
  if (known) return { url: known.url, link: { code, target: known } }
  const record = await readAgent(ledger, agent)
  if (!record || record.state === 'deleted') return undefined
  const offer = itemId.startsWith('shelf:') ? await shelfOffer(goods, itemId)
    : { supply: splitItemId(itemId).source, page: undefined }
  if (!offer || !isMall(offer.supply)) return undefined
  const { account, tier } = record
  const caller: AgentCaller = { agent, account, tier, client }
  try {
    await convert(offer.supply, { item_id: itemId }, caller, code)
    const made = await links.target(code)
    if (made) return { url: made.url, link: { code, target: made } }
  } catch (error) {
    // What hinders the mall, or the agent's quota, must not keep a person from buying.
    const { message } = error as Error
    log.warn({ agent, source: offer.supply, error: message }, 'offer not converted')
  }
  return offer.page === undefined ? undefined : { url: offer.page }
}

/** Undefined where the shelf has it no longer. */
async function shelfOffer(
  goods: Pick<Goods, 'offer'>, itemId: string,
): Promise<{ supply: string, page: string } | undefined> {
  try {
    const { supply, purchase_url: page } = (await goods.offer(itemId)).toJSON() as
      { supply: string, purchase_url: string }
    return { supply, page }
  } catch (error) {
    if (error instanceof Refusal && error.error === 'not_found') return undefined
    throw error
  }
}

const isMall = (name: string): name is SourceName =>
  name !== 'shelf' && (SOURCE_NAMES as readonly string[]).includes(name)

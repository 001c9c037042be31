/** A card as an answer: the few pages that people reach by a link from elsewhere. */
import { card, type Card } from '../site/card.ts'
import { rootOf } from '../site/frame.ts'
import type { InBoth, Locale } from '../site/locale.ts'
import type { HttpReply } from '../contract/http.ts'

export interface CardPlace {
  readonly publicUrl: string
  readonly locale: Locale
}

export function cardReply(
  status: number, { publicUrl, locale }: CardPlace, parts: Omit<Card, 'locale' | 'home'>,
): HttpReply {
  const { html, policy } = card({
    ...parts, locale, home: `${rootOf(publicUrl)}/?lang=${locale}`,
  })
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'], ['Content-Security-Policy', policy],
      ['Referrer-Policy', 'no-referrer'], ['Vary', 'Accept-Language'],
    ],
    body: html,
  }
}

/** What there is to say where something is missing: a heading, and what to do. */
export type Notice = InBoth<readonly [title: string, advice: string]>

export function noticeReply(status: number, place: CardPlace, notice: Notice): HttpReply {
  const [title, advice] = notice[place.locale]
  return cardReply(status, place, { title, mood: 'closed', body: `<p class="soft">${advice}</p>` })
}

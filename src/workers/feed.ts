/** Puts what happens to orders into the feeds of their agents. */
import { appendToFeed } from '../orders/feed.ts'
import type { Durable } from '../redis/durable.ts'
import type { OutboxEvent } from '../redis/streams.ts'
import type { Consumer } from './consumer.ts'

export const FEED = 'feed'

export function feedAgents(durable: Pick<Durable, 'run'>): Consumer {
  return {
    name: FEED,
    async handle(events) {
      const byAgent = new Map<string, OutboxEvent[]>()
      for (const event of events) {
        // Recorded stock is nobody's order.
        if (!event.agent || !event.orderNo) continue
        const held = byAgent.get(event.agent)
        if (held) held.push(event)
        else byAgent.set(event.agent, [event])
      }
      await Promise.all([...byAgent].map(([agent, own]) => appendToFeed(durable, agent, own)))
    },
  }
}

/** Where an item is to be found that a caller named by its id or by a link. */
import { SOURCES } from '../contract/affiliate-fields.ts'
import type { SourceName, Sources } from './sources.ts'
import { splitItemId } from './views.ts'

export interface Place {
  /** As the caller wrote it. */
  readonly text: string
  readonly source: SourceName | undefined
  readonly id: string | null
}

/** Of a link that no source claims nothing is known, and nothing is fetched. */
export function placeOf(sources: Sources, text: string): Place {
  const known = SOURCES.find((name) => text.startsWith(`${name}:`) && !text.includes('://'))
  if (known) return { text, source: known, id: splitItemId(text).id }
  for (const [source, { readLink }] of sources) {
    const link = readLink(text)
    if (link) return { text, source, id: link.id }
  }
  return { text, source: undefined, id: null }
}

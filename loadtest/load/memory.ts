/** How much memory the nodes use while a load runs, by what they tell the operator's scraper. */
import { nowMs } from '../../src/contract/time.ts'

const EVERY_MS = 2000
const ASKED_MS_MAX = 1500
const RESIDENT = /^process_resident_memory_bytes (\d+)/m

export interface MemoryWatch {
  /** Of all addresses together, by seconds since the epoch. */
  readonly samples: readonly { readonly at: number, readonly mb: number }[]
  stop(): void
}

/** Services elsewhere keep their metrics to themselves: then there are no samples. */
export function watchMemory(baseUrls: readonly string[]): MemoryWatch {
  const samples: { at: number, mb: number }[] = []
  const look = async (): Promise<void> => {
    const parts = await Promise.all(baseUrls.map(residentMb))
    if (parts.includes(undefined)) return
    const mb = Math.round(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0))
    samples.push({ at: nowMs() / 1000, mb })
  }
  const timer = setInterval(() => void look(), EVERY_MS)
  void look()
  return { samples, stop: () => clearInterval(timer) }
}

async function residentMb(baseUrl: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${baseUrl}/metrics`, {
      signal: AbortSignal.timeout(ASKED_MS_MAX),
    })
    const bytes = RESIDENT.exec(await response.text())?.[1]
    return bytes === undefined ? undefined : Number(bytes) / 1024 ** 2
  } catch {
    return undefined
  }
}

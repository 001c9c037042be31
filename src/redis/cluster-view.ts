/** What the members of a Redis Cluster say about each other. */
import { withDeadline } from '../contract/time.ts'
import { ask, type Address } from './server.ts'

export const SLOTS = 16_384

export interface ViewedNode {
  readonly id: string
  readonly port: number
  readonly isMaster: boolean
  /** By its own and the others' account. */
  readonly isUp: boolean
  /** The id of a replica's master. */
  readonly master: string | undefined
  readonly epoch: number
  readonly slots: readonly (readonly [from: number, to: number])[]
}

const VIEW_MS_MAX = 1000
const UNWELL = /fail|handshake|noaddr/

/** The lines of CLUSTER NODES. */
function parseNodes(text: string): ViewedNode[] {
  return text.split('\n').filter(Boolean).map((line) => {
    const [id = '', address = '', flags = '', master = '-', , , epoch, , ...slots] = line.split(' ')
    return {
      id,
      port: Number(/:(\d+)@/.exec(address)?.[1]),
      isMaster: flags.includes('master'),
      isUp: !UNWELL.test(flags),
      master: master === '-' ? undefined : master,
      epoch: Number(epoch),
      // A slot that is on its way stands in brackets, beside its present owner's ranges.
      slots: slots.filter((range) => !range.startsWith('[')).map((range) => {
        const [from, to = from] = range.split('-').map(Number) as [number, number?]
        return [from, to] as const
      }),
    }
  })
}

/** What the members that answer know; of differing accounts, the one that knows the newest. */
export async function viewCluster(members: readonly Address[]): Promise<ViewedNode[]> {
  const views = await Promise.all(members.map((member) => viewFrom(member).catch(() => [])))
  const newest = (view: readonly ViewedNode[]): number =>
    Math.max(-1, ...view.map(({ epoch }) => epoch))
  const [best] = views.toSorted((a, b) => newest(b) - newest(a))
  if (!best || best.length === 0) throw new Error('No member of the cluster answers.')
  return best
}

/** One member's view. */
export async function viewFrom(member: Address): Promise<ViewedNode[]> {
  const asked = ask(member, (redis) => redis.cluster('NODES') as Promise<string>)
  return parseNodes(await withDeadline(asked, VIEW_MS_MAX, () => new Error('late')))
}

export const holds = ({ slots }: ViewedNode, slot: number): boolean =>
  slots.some(([from, to]) => from <= slot && slot <= to)

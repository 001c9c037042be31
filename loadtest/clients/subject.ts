/** A client that orders, and what is found of it. */
import { createBench, NotRun, type Bench } from './bench.ts'
import { judgeGenerated, judgeMcp, observe, type Cells } from './observation.ts'
import type { Row } from './report.ts'

export interface Subject {
  readonly name: string
  readonly version: string
  /** Makes a client of the OpenAPI document; absent where nothing is generated. */
  generate?(bench: Bench, document: string): Promise<void>
  /** Compiles the program with its client; the command that takes URL and KEY. */
  compile(bench: Bench): Promise<readonly string[]>
  /** What the client says of any 401, where it does not show the answer. */
  readonly wordsFor401?: string
}

/** The node that the clients call, without a trailing slash, and a key. */
export interface Service {
  readonly url: string
  readonly key: string
}

const ASKED_MS_MAX = 10_000

export async function rowOf(
  subject: Subject, service: Service, openBench: (name: string) => Promise<Bench> = createBench,
): Promise<Row> {
  const { name, version } = subject
  const cells: Record<string, Cells[string]> = {}
  const bench = await openBench(name)
  try {
    await runStages(subject, service, bench, cells)
    return { name, version, cells }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return error instanceof NotRun ? { name, version, cells, notRun: reason }
      : { name, version, cells, failure: `${reason} (${bench.log})` }
  }
}

/** Fills the cells as it goes, so that a failure leaves those before it. */
async function runStages(
  { generate, compile, wordsFor401 }: Subject, { url, key }: Service, bench: Bench,
  cells: Record<string, Cells[string]>,
): Promise<void> {
  if (generate) {
    await generate(bench, `${url}/openapi.json`)
    cells['generates'] = { text: 'yes', isRight: true }
  }
  const command = await compile(bench)
  if (generate) cells['compiles'] = { text: 'yes', isRight: true }
  const address = generate ? `${url}/v1` : url
  const { output, failure } = await bench.runToEnd([...command, address, key])
  const said = observe(output)
  const isKnown = await hasOrder(said.first('order'), { url, key })
  Object.assign(cells, generate ? judgeGenerated(said, isKnown)
    : judgeMcp(said, isKnown, wordsFor401))
  if (failure !== undefined) throw new Error(failure)
}

async function hasOrder(orderNo: string, { url, key }: Service): Promise<boolean> {
  if (orderNo === '') return false
  const answer = await fetch(`${url}/v1/orders/${encodeURIComponent(orderNo)}`, {
    headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(ASKED_MS_MAX),
  })
  return answer.ok
}

/** Which faults can be inflicted here, and why the others cannot. */
import type { Fault } from './fault.ts'
import { FAULTS } from './kinds/index.ts'
import type { LedgerKind, Need } from './stand.ts'
import { missingOf, type Tool, type Tools } from './tools.ts'

export interface Choice {
  readonly faults: readonly Fault[]
  readonly notRun: readonly { readonly name: string, readonly why: string }[]
}

export function chooseFaults(kind: LedgerKind, tools: Tools, only?: readonly string[]): Choice {
  const tool: Record<Need, Tool> = {
    proxy: tools.toxiproxy, clock: tools.faketime, mount: tools.mount, synced: tools.synced,
    cut: tools.cut,
  }
  const unknown = only?.find((name) => !FAULTS.some((fault) => fault.name === name))
  if (unknown) throw new Error(`There is no fault ${unknown}.`)
  const wanted = FAULTS.filter(({ name, on }) =>
    on.includes(kind) && (only === undefined || only.includes(name)))
  const why = ({ needs }: Fault): string | undefined => needs && missingOf(tool[needs])
  return {
    faults: wanted.filter((fault) => why(fault) === undefined),
    notRun: wanted.flatMap((fault) => {
      const reason = why(fault)
      return reason === undefined ? [] : [{ name: fault.name, why: reason }]
    }),
  }
}

/** Weights of a log-linear model, read once; `npm run ranking` writes the files. */
import { Type, type Static } from 'typebox'
import { readConfigFile } from '../config.ts'
import { checkConfigFile } from '../validate.ts'

/** Name of a feature → its weight. */
export type Weights = ReadonlyMap<string, number>

const WeightsFile = Type.Record(Type.String({ minLength: 1, maxLength: 80 }), Type.Number())

export interface KeptWeights {
  readonly read: () => Weights
  /** A mistake in the file stops the start with one sentence. */
  readonly check: () => void
}

/** Of a file in `config`. */
export function weightsIn(file: string): KeptWeights {
  let loaded: Weights | undefined
  return {
    read: () => loaded ??= new Map(
      Object.entries(readConfigFile(file) as Static<typeof WeightsFile>)),
    check() { checkConfigFile(file, WeightsFile) },
  }
}

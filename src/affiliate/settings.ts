/** Settings of each platform, from a file or from variables, which override it. */
import type { TObject } from 'typebox'
import { malls } from '../../adapters/index.ts'
import { MALL_NAMES, type MallName } from '../../adapters/names.ts'
import { ConfigError, type Environment } from '../config.ts'
import { problemsOf } from '../validate.ts'

/** Only platforms that are configured. */
export type MallSettings = Partial<Record<MallName, object>>

/** Throws ConfigError with the name of the wrong setting, never with its value. */
export function readMallSettings(file: unknown, variables: Environment): MallSettings {
  if (file !== undefined && (typeof file !== 'object' || file === null)) {
    throw new ConfigError('The file of the malls must hold an object with one for each mall.')
  }
  const inFile = (file ?? {}) as Readonly<Record<string, unknown>>
  for (const name of Object.keys(inFile)) {
    if (!MALL_NAMES.includes(name as MallName)) {
      throw new ConfigError(`The file of the malls may have ${MALL_NAMES.join(', ')} only.`)
    }
  }
  const settings: MallSettings = {}
  for (const name of MALL_NAMES) {
    const given = { ...inFile[name] as object, ...fromVariables(name, variables) }
    if (Object.keys(given).length > 0) settings[name] = checked(name, given)
  }
  return settings
}

const variableOf = (mall: MallName, property: string): string =>
  `${mall}_${property.replaceAll(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase()

function fromVariables(mall: MallName, variables: Environment): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const [property, schema] of Object.entries((malls[mall].settings as TObject).properties)) {
    const text = variables[variableOf(mall, property)]?.trim()
    if (text) given[property] = typed(schema as Property, text)
  }
  return given
}

interface Property { readonly type?: string, readonly enum?: readonly unknown[] }

function typed({ type, enum: choices }: Property, text: string): unknown {
  if (type === 'array') return text.split(',').map((entry) => entry.trim())
  const isNumber = type === 'integer' || type === 'number' || typeof choices?.[0] === 'number'
  return isNumber && /^\d+$/.test(text) ? Number(text) : text
}

function checked(mall: MallName, given: object): object {
  const [problem] = problemsOf(malls[mall].settings, given)
  if (!problem) return given
  const [property = ''] = problem.path.split('.')
  throw new ConfigError(`${mall}: ${property} (or ${variableOf(mall, property)}) `
    + `${problem.problem}.`)
}

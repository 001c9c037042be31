/** A mall's own ids: readable back, different in each mall, and not to be guessed by counting. */
import { chance } from './chance.ts'

export const idOf = (mall: string, index: number): string =>
  `${index.toString(36)}_${tail(mall, index)}`

export function indexOfId(mall: string, id: string): number | null {
  const [head = '', end] = id.split('_')
  const index = /^[0-9a-z]{1,8}$/.test(head) ? Number.parseInt(head, 36) : -1
  return index >= 0 && end === tail(mall, index) ? index : null
}

const tail = (mall: string, index: number): string =>
  Math.floor(chance(mall, index, 'id') * 36 ** 6).toString(36).padStart(6, '0')

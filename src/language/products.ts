/**
 * Products of rows of numbers with a matrix, by WebAssembly (`products.wat`): four numbers at a
 * time, which takes a tenth of what a loop of JavaScript takes.
 */
import { readFileSync } from 'node:fs'

const CODE = new URL('../../config/products.wasm', import.meta.url)
const PAGE_BYTES = 65_536
const FLOAT_BYTES = 4
/** Columns come in groups of so many; what is reserved begins at such a group, too. */
export const COLUMNS_AT_ONCE = 16

/** All arrays are reserved of these products; matrices stand in rows. */
export interface Product {
  readonly numbers: Float32Array
  /** From the start of one row of numbers to that of the next. */
  readonly step: number
  readonly rows: number
  /** Numbers of a row, and rows of the matrix. */
  readonly length: number
  readonly matrix: Float32Array
  /** A multiple of COLUMNS_AT_ONCE. */
  readonly columns: number
  /** Of as many columns as the matrix; what a row gives is added to what is there. */
  readonly sums: Float32Array
}

export interface Products {
  /** Zeros. */
  reserve(size: number): Float32Array
  add(product: Product): void
}

type AddProducts = (...numbers: readonly number[]) => void

export const inGroups = (size: number): number =>
  Math.ceil(size / COLUMNS_AT_ONCE) * COLUMNS_AT_ONCE

/** Products in a memory of their own, of at least so many numbers. */
export function products(size: number): Products {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(size * FLOAT_BYTES / PAGE_BYTES) })
  const code = new WebAssembly.Module(readFileSync(CODE))
  const { addProducts } = new WebAssembly.Instance(code, { host: { memory } }).exports
  const run = addProducts as AddProducts
  let reserved = 0
  return {
    reserve(count) {
      const found = new Float32Array(memory.buffer, reserved, count)
      reserved += inGroups(count) * FLOAT_BYTES
      return found
    },
    add({ numbers, step, rows, length, matrix, columns, sums }) {
      // The code takes one number at least.
      if (rows > 0 && length > 0) {
        run(numbers.byteOffset, step * FLOAT_BYTES, rows, length, matrix.byteOffset, columns,
          sums.byteOffset)
      }
    },
  }
}

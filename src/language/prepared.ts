/**
 * What readers make of the taxonomy before the first sentence, which takes seconds. A build makes
 * it once (`write-prepared.ts`) and keeps it beside its code, and a process reads of it what it
 * needs. Sources that run as they are have no build: they make it themselves.
 */
import { openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DefaultDeserializer, serialize } from 'node:v8'

const FILE = 'language.bin'
/** Before the list of parts: how long it is. */
const LENGTH_BYTES = 4

export interface PreparedFile {
  /** Undefined for a part that is not in it. */
  read(name: string): unknown
}

let ofBuild: PreparedFile | null | undefined

/** The part of that name, or where there is none what `make` makes. */
export function prepared<T>(name: string, make: () => T): T {
  if (ofBuild === undefined) ofBuild = openPrepared(import.meta.dirname)
  return ofBuild?.read(name) as T | undefined ?? make()
}

/** Null where the folder has none. */
export function openPrepared(folder: string): PreparedFile | null {
  let file: number
  try {
    // Open for as long as the process runs: kinds are read when they are first asked for.
    file = openSync(join(folder, FILE), 'r')
  } catch {
    return null
  }
  const length = bytesAt(file, 0, LENGTH_BYTES).readUInt32LE()
  const parts = readPart(file, LENGTH_BYTES, length) as ReadonlyMap<string, Float64Array>
  return {
    read(name) {
      const [start, size] = parts.get(name) ?? []
      return start === undefined || size === undefined ? undefined : readPart(file, start, size)
    },
  }
}

/**
 * Lists of numbers would otherwise keep all the bytes that they were read from. Those of thousands
 * of kinds stand in few buffers: one for each list takes more than most lists do.
 */
class CopyingReader extends DefaultDeserializer {
  _readHostObject(): unknown {
    const read = Object.getPrototypeOf(CopyingReader.prototype) as { _readHostObject(): unknown }
    return copied(read._readHostObject.call(this) as NumberList)
  }
}

type NumberList = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array

const SHARED_BYTES = 1 << 18
/** A larger list has a buffer of its own. */
const SHARED_LIST_MAX = 1 << 13
const ALIGNED = 8

let shared = new ArrayBuffer(0)
let taken = 0

function copied(list: NumberList): NumberList {
  if (list.byteLength > SHARED_LIST_MAX) return list.slice()
  if (taken + list.byteLength > shared.byteLength) {
    [shared, taken] = [new ArrayBuffer(SHARED_BYTES), 0]
  }
  const List = list.constructor as new (
    buffer: ArrayBuffer, start: number, length: number,
  ) => NumberList
  const copy = new List(shared, taken, list.length)
  copy.set(list)
  taken = Math.ceil((taken + list.byteLength) / ALIGNED) * ALIGNED
  return copy
}

function readPart(file: number, start: number, length: number): unknown {
  const reader = new CopyingReader(bytesAt(file, start, length))
  reader.readHeader()
  return reader.readValue()
}

function bytesAt(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  for (let read = 0; read < length;) {
    const count = readSync(file, bytes, read, length - read, start + read)
    if (count === 0) throw new Error(`${FILE} of this build is cut short: remove its folder.`)
    read += count
  }
  return bytes
}

/** Into the folder of a build that nobody runs yet. */
export function writePrepared(folder: string, made: ReadonlyMap<string, unknown>): void {
  const bodies = [...made.values()].map((value) => serialize(value))
  /** Where parts begin, if the list of them is so long. */
  const listFor = (length: number): Buffer => {
    let start = LENGTH_BYTES + length
    return serialize(new Map([...made.keys()].map((name, at) => {
      const size = bodies[at]?.length ?? 0
      start += size
      return [name, Float64Array.of(start - size, size)]
    })))
  }
  // Numbers of one width: the list is as long whatever it says.
  const list = listFor(listFor(0).length)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(list.length)
  writeFileSync(join(folder, FILE), Buffer.concat([length, list, ...bodies]))
}

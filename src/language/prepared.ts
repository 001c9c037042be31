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

interface OpenFile {
  readonly descriptor: number
  /** Name of a part → where it begins, and how long it is. */
  readonly parts: ReadonlyMap<string, Float64Array>
}

let opened: OpenFile | null | undefined

/** The part of that name, or where there is none what `make` makes. */
export function prepared<T>(name: string, make: () => T): T {
  opened ??= openFile()
  const part = opened?.parts.get(name)
  const [start = 0, length = 0] = part ?? []
  return opened && part ? readPart(opened.descriptor, start, length) as T : make()
}

function openFile(): OpenFile | null {
  let descriptor: number
  try {
    // Open for as long as the process runs: kinds are read when they are first asked for.
    descriptor = openSync(join(import.meta.dirname, FILE), 'r')
  } catch {
    return null
  }
  const length = bytesAt(descriptor, 0, LENGTH_BYTES).readUInt32LE()
  const parts = readPart(descriptor, LENGTH_BYTES, length) as OpenFile['parts']
  return { descriptor, parts }
}

/** Lists of numbers would otherwise keep all the bytes that they were read from. */
class CopyingReader extends DefaultDeserializer {
  _readHostObject(): unknown {
    const read = Object.getPrototypeOf(CopyingReader.prototype) as { _readHostObject(): unknown }
    return (read._readHostObject.call(this) as Uint8Array).slice()
  }
}

function readPart(descriptor: number, start: number, length: number): unknown {
  const reader = new CopyingReader(bytesAt(descriptor, start, length))
  reader.readHeader()
  return reader.readValue()
}

function bytesAt(descriptor: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  for (let read = 0; read < length;) {
    const count = readSync(descriptor, bytes, read, length - read, start + read)
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

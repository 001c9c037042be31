// The C23 names that a build against glibc 2.38 asks for, and the ones every older glibc has.
// Each old name is the tail of the new one, so the string table itself stays as it is.
const OLDER = new Map([
  ['__isoc23_strtol', 'strtol'],
  ['__isoc23_strtoul', 'strtoul'],
  ['__isoc23_sscanf', 'sscanf'],
])
const TOO_NEW = 'GLIBC_2.38'
// What x86-64 and arm64 began with; the other architecture's version may be there as well.
const OLDEST = ['GLIBC_2.2.5', 'GLIBC_2.17']

const SHARED_OBJECT = 3
const SECTION = { dynsym: 11, versym: 0x6fffffff, verneed: 0x6ffffffe }
const SYMBOL_BYTES = 24
const WEAK = 2
const VERSION_MASK = 0x7fff

interface Section { type: number, link: number, count: number, bytes: Buffer }
interface Version { name: string, index: number, at: number }

/**
 * A copy of a shared library in which the three C23 symbols point at their older namesakes and
 * the need for glibc 2.38 is marked weak, so that an older glibc loads it. Pure: same bytes in,
 * same bytes out. Throws when the file is not the kind of library this was written for.
 */
export function relabel(original: Buffer): Buffer {
  const copy = Buffer.from(original)
  try {
    relabelInPlace(copy)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`cannot relabel this library: ${reason}`, { cause })
  }
  return copy
}

function relabelInPlace(file: Buffer): void {
  const sections = readSections(file)
  const symbols = only(sections, SECTION.dynsym)
  const versionOf = only(sections, SECTION.versym)
  const needs = only(sections, SECTION.verneed)
  const symbolNames = linked(sections, symbols)
  const versions = readNeeds(needs, linked(sections, needs))
  const [newest, ...candidates] = [TOO_NEW, ...OLDEST].map(
    wanted => versions.find(version => version.name === wanted),
  )
  const oldest = candidates.find(version => version !== undefined)
  if (!newest || !oldest) throw new Error(`it does not ask libc for ${TOO_NEW}`)

  for (let index = 0; index * SYMBOL_BYTES < symbols.bytes.length; index++) {
    if ((versionOf.bytes.readUInt16LE(index * 2) & VERSION_MASK) !== newest.index) continue
    const nameAt = symbols.bytes.readUInt32LE(index * SYMBOL_BYTES)
    const name = readText(symbolNames, nameAt)
    const older = OLDER.get(name)
    if (!older) throw new Error(`${name} has no older namesake`)
    symbols.bytes.writeUInt32LE(nameAt + name.length - older.length, index * SYMBOL_BYTES)
    versionOf.bytes.writeUInt16LE(oldest.index, index * 2)
  }
  needs.bytes.writeUInt16LE(needs.bytes.readUInt16LE(newest.at + 4) | WEAK, newest.at + 4)
}

function readSections(file: Buffer): Section[] {
  const isElf64 = file.length > 64 && file.readUInt32BE(0) === 0x7f454c46 && file[4] === 2
  const isLittleEndian = file[5] === 1
  if (!isElf64 || !isLittleEndian) throw new Error('it is not a 64-bit little-endian ELF file')
  if (file.readUInt16LE(16) !== SHARED_OBJECT) throw new Error('it is not a shared object')
  const start = Number(file.readBigUInt64LE(40))
  const size = file.readUInt16LE(58)
  return Array.from({ length: file.readUInt16LE(60) }, (_, index) => {
    const header = part(file, start + index * size, 64)
    const type = header.readUInt32LE(4)
    const offset = Number(header.readBigUInt64LE(24))
    const length = Number(header.readBigUInt64LE(32))
    const link = header.readUInt32LE(40)
    const count = header.readUInt32LE(44)
    // Only what takes part is cut out: a section such as .bss has a size but no bytes in the file.
    const isWanted = type === 3 || Object.values(SECTION).includes(type)
    return { type, link, count, bytes: isWanted ? part(file, offset, length) : Buffer.alloc(0) }
  })
}

/** Versions wanted of libc.so.6; `at` is where the entry stands, to be marked later. */
function readNeeds(needs: Section, names: Buffer): Version[] {
  const versions: Version[] = []
  let libraryAt = 0
  for (let library = 0; library < needs.count; library++) {
    const isLibc = readText(names, needs.bytes.readUInt32LE(libraryAt + 4)) === 'libc.so.6'
    let at = libraryAt + needs.bytes.readUInt32LE(libraryAt + 8)
    for (let left = needs.bytes.readUInt16LE(libraryAt + 2); left > 0; left--) {
      const name = readText(names, needs.bytes.readUInt32LE(at + 8))
      if (isLibc) versions.push({ name, index: needs.bytes.readUInt16LE(at + 6), at })
      at += needs.bytes.readUInt32LE(at + 12)
    }
    libraryAt += needs.bytes.readUInt32LE(libraryAt + 12)
  }
  return versions
}

function only(sections: Section[], type: number): Section {
  const found = sections.filter(section => section.type === type)
  if (!found[0] || found.length > 1) throw new Error('its symbol tables are not as expected')
  return found[0]
}

function linked(sections: Section[], from: Section): Buffer {
  const strings = sections[from.link]
  if (strings?.type !== 3) throw new Error('a table of names is missing')
  return strings.bytes
}

function part(file: Buffer, start: number, length: number): Buffer {
  if (start + length > file.length) throw new Error('it is cut short')
  return file.subarray(start, start + length)
}

function readText(names: Buffer, start: number): string {
  const end = names.indexOf(0, start)
  if (start >= names.length || end < 0) throw new Error('a name lies outside its table')
  return names.toString('latin1', start, end)
}

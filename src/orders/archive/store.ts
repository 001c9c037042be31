/** Where the files of the archive are: written whole under a new name, and never changed. A folder
 * is here, a bucket in `s3-store.ts`. */
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A name is `<month>/<file>`. */
export interface ArchiveStore {
  /** Resolves once the bytes outlive a loss of power. */
  write(name: string, bytes: Buffer): Promise<void>
  /** So many bytes from a place on; refuses a file that ends before. */
  read(name: string, from: number, count: number): Promise<Buffer>
  readWhole(name: string): Promise<Buffer>
  /** Every file that was written whole, by name; of one month where it is named. */
  names(month?: string): Promise<string[]>
}

/** What is being written has another name: whatever ends a process leaves no half file. */
const UNFINISHED = '.part'

export class FolderStore implements ArchiveStore {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async write(name: string, bytes: Buffer): Promise<void> {
    const path = join(this.folder, name)
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(`${path}${UNFINISHED}`, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(`${path}${UNFINISHED}`, path)
    await syncFolder(dirname(path))
    if (made !== undefined) {
      await syncFolder(this.folder)
      await syncFolder(dirname(made))
    }
  }

  async read(name: string, from: number, count: number): Promise<Buffer> {
    const file = await open(join(this.folder, name))
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(count), 0, count, from)
      if (bytesRead < count) throw new Error(`${name} ends in the middle of an order.`)
      return buffer
    } finally {
      await file.close()
    }
  }

  readWhole(name: string): Promise<Buffer> {
    return readFile(join(this.folder, name))
  }

  async names(month = ''): Promise<string[]> {
    const found = await readdir(join(this.folder, month), { recursive: true, withFileTypes: true })
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
    return found.filter((entry) => entry.isFile() && !entry.name.endsWith(UNFINISHED))
      .map(({ parentPath, name }) => join(parentPath, name).slice(this.folder.length + 1))
      .toSorted()
  }
}

/** A name is on the disk once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Mails that a node wrote into its folder. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/** Waits for the mail; fails with a sentence that says which. */
export const readMailedToken = (folder: string, email: string, page: string): Promise<string> =>
  eventually(async () => {
    const token = (await mailsTo(folder, email))
      .map((text) => new RegExp(`/console/${page}#(\\S+)`).exec(text)?.[1])
      .findLast((found) => found !== undefined)
    if (token === undefined) throw new Error(`No mail to ${email} has a link to ${page}.`)
    return token
  })

/** Texts of all mails to an address, oldest first. */
export async function mailsTo(folder: string, email: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(names.toSorted().map((name) =>
    readFile(join(folder, name), 'utf8')))
  return mails.filter((text) => text.includes(`To: ${email}\n`))
    .map((text) => text.slice(text.indexOf('\n\n') + 2))
}

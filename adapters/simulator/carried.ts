/** Links of simulated malls carry what follows from opening them. */
import { linkOn } from '../links.ts'

export const packed = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')

/** What a link on the host carries in a parameter; null where it is no such link. */
export function carriedBy<T>(host: string, link: string, parameter: string): T | null {
  const text = linkOn([host], link)?.searchParams.get(parameter)
  try {
    return text ? Object(JSON.parse(Buffer.from(text, 'base64url').toString())) as T : null
  } catch {
    return null
  }
}

import type { HttpRequest } from './http.ts'

/** JSON has one encoding, so the only parameter it may carry is the one that says UTF-8. */
const JSON_TYPE = /^application\/json[\t ]*(?:;[\t ]*charset=(?:utf-8|"utf-8")[\t ]*)?$/i

/** Whether a Content-Type announces plain JSON; `application/problem+json` and the like do not. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  return contentType !== undefined && JSON_TYPE.test(contentType)
}

/** Whether a person's browser asks: people get a page where programs get JSON. */
export const isBrowser = (request: HttpRequest): boolean =>
  /(?:^|[\s,])text\/html\b/i.test(request.header('accept') ?? '')

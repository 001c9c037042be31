/**
 * Answers requests without a handler: an unknown address, a wrong method, a head that is too large.
 * Under the API's paths the caller is authenticated and spends a token, so that a flood of these is
 * limited like any other, and the answer has the headers of limits. A browser gets a page with
 * links.
 */
import { errorData, ERRORS, type Refusal } from '../contract/errors.ts'
import type { Gate } from '../gate/gate.ts'
import { chain, type MaybePromise } from '../contract/maybe-promise.ts'
import { type Locale, localeOf, type Rendered } from '../site/page.ts'
import { MCP_PATH } from './access.ts'
import { errorReply, failure } from './envelope.ts'
import {
  nothingHerePage, pageReply, type NothingHere, type SiteOptions,
} from './developer-pages.ts'
import { isBrowser, type HttpReply, type HttpRequest } from '../contract/http.ts'

const API = /^\/(?:v1|mcp|ucp)(?:\/|$)/

/** Whether calls of a path are limited by their caller's bucket. */
export const isApiPath = (path: string): boolean => API.test(path)

export function createRejectUnrouted(gate: Pick<Gate, 'admit'>, site: SiteOptions) {
  const made = new Map<string, Rendered>()

  function render(why: NothingHere, locale: Locale): Rendered {
    const name = `${why} ${locale}`
    const known = made.get(name) ?? nothingHerePage(site, why, locale)
    made.set(name, known)
    return known
  }

  /** Undefined for programs, and for refusals that are not about the address. */
  function page(refusal: Refusal, request: HttpRequest): HttpReply | undefined {
    const why = whyNothing(refusal, request)
    if (why === undefined || !isBrowser(request)) return undefined
    const { status, headers = [], ...reply } = pageReply(ERRORS[refusal.error].status,
      render(why, localeOf(request, 'en')))
    const { allowed } = refusal.detail
    return {
      ...reply, status,
      headers: Array.isArray(allowed) ? [...headers, ['Allow', allowed.join(', ')]] : headers,
    }
  }

  return (refusal: Refusal, request: HttpRequest): MaybePromise<HttpReply> => {
    if (!isApiPath(request.path)) {
      request.note({ error: refusal.error })
      return page(refusal, request) ?? errorReply(refusal, request.id)
    }
    return chain(gate.admit({
      authorization: request.header('authorization'),
      apiKey: request.header('x-api-key'),
      client: request,
    }), ({ caller, headers, refusal: earlier }) => {
      const answered = earlier ?? refusal
      request.note({ agent: caller.agent, error: answered.error })
      const shown = earlier ? undefined : page(refusal, request)
      return shown ? { ...shown, headers: [...shown.headers ?? [], ...headers] }
        : failure(errorData(answered, request.id), caller.agent, headers)
    })
  }
}

function whyNothing({ error }: Refusal, { path, method }: HttpRequest): NothingHere | undefined {
  if (error === 'not_found') return 'nowhere'
  if (error !== 'method_not_allowed' || method !== 'GET') return undefined
  return path === MCP_PATH ? 'mcp' : 'method'
}

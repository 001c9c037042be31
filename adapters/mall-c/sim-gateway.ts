/** What the simulated gateway checks before any business, and how it refuses. */
import type { SimRequest } from '../simulator/frame.ts'
import { sameText } from '../signing.ts'
import { sign, TYPES } from './dialect.ts'

export const SANDBOX = {
  clientId: 'sandbox-c-client', clientSecret: 'sandbox-secret-c',
} as const
export const KNOWN = new Set<string>(Object.values(TYPES))
const SKEW_MS = 600_000

/** The gateway's error, with its two layers of codes. */
export class Refused extends Error {
  readonly code: number
  readonly subCode: string | null

  constructor(code: number, message = '参数错误', subCode: string | null = null) {
    super(message)
    this.code = code
    this.subCode = subCode
  }
}

export const errorBody = ({ code, message, subCode }: Refused): string => JSON.stringify({
  error_response: {
    error_msg: '业务服务错误', sub_msg: message, sub_code: subCode, error_code: code,
    request_id: 'sim',
  },
})

export function check({ params }: SimRequest, now: number): string | null {
  const { client_id: app, sign: signature, timestamp, type } = params
  const refuse = (code: number, message: string): string => errorBody(new Refused(code, message))
  if (!app) return refuse(10001, '公共参数错误:client_id')
  if (app !== SANDBOX.clientId) return refuse(10016, 'client下线或者clientId不正确')
  if (!signature || !sameText(signature, sign(SANDBOX.clientSecret, params))) {
    return refuse(20004, '签名sign校验失败')
  }
  if (!timestamp) return refuse(10001, '公共参数错误:timestamp')
  const at = Number(timestamp) * 1000
  if (!(Math.abs(now - at) <= SKEW_MS)) return refuse(20004, '签名sign校验失败')
  if (!type) return refuse(10001, '公共参数错误:type')
  return KNOWN.has(type) ? null : refuse(10017, 'type不正确')
}

/** Notices of the payment provider: believed by their signature, recorded before the answer. */
import type { Limits } from '../limits/limits.ts'
import { NOTICE_PATH } from '../orders/payment.ts'
import type { Services } from '../services.ts'
import type { HttpReply, HttpRequest, Route } from '../contract/http.ts'

export function paymentRoutes(
  { orders, log }: Pick<Services, 'orders' | 'log'>, limits: Pick<Limits, 'authFailed'>,
): Route[] {
  const { provider, payments, mode } = orders
  if (!provider || mode !== 'live') return []

  async function refuse(request: HttpRequest, why: string): Promise<HttpReply> {
    const { refusal } = await limits.authFailed(request.address)
    if (refusal) throw refusal
    log.warn({ why, address: request.address }, 'payment notice refused')
    return answer(why === 'format' ? 400 : 401, { error: { code: why } })
  }

  async function handler(request: HttpRequest): Promise<HttpReply> {
    const body = await request.body()
    const notice = provider!.readNotice({ header: (name) => request.header(name), body })
    if (notice.kind === 'refused') return await refuse(request, notice.why)
    if (notice.kind === 'other') return answer(200, { data: { outcome: 'ignored' } })
    const recorded = await payments.record(notice.payment, provider!.name, mode)
    request.note({ order_no: notice.payment.orderNo, payment: recorded.outcome })
    if (recorded.outcome === 'stray') {
      log.warn({ order_no: notice.payment.orderNo, why: recorded.why }, 'payment goes back')
    }
    return answer(200, { data: recorded })
  }

  return [{ method: 'POST', pattern: NOTICE_PATH, handler }]
}

const answer = (status: number, content: object): HttpReply => ({
  status,
  headers: [['Content-Type', 'application/json; charset=utf-8'], ['Cache-Control', 'no-store']],
  body: JSON.stringify(content),
})

/** What a payer sees at the simulated provider: the amount, and a button for each way it can go. */
import type { ServerResponse } from 'node:http'
import type { PaymentSimulator, SimPayment } from './simulator.ts'

const ESCAPES: Readonly<Record<string, string>> =
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': 'default-src \'none\'; frame-ancestors \'none\'',
  'referrer-policy': 'no-referrer',
}

export async function answerPayer(
  simulator: Pick<PaymentSimulator, 'pay'>, payment: SimPayment | undefined, isPressed: boolean,
  response: ServerResponse,
): Promise<void> {
  if (!payment) {
    response.writeHead(404, HEADERS).end('No such payment')
    return
  }
  if (isPressed) {
    await simulator.pay(payment.orderNo)
    response.writeHead(303, { ...HEADERS, location: payment.returnUrl }).end()
    return
  }
  // In the browser's own looks, light or dark: the policy lets no style through.
  response.writeHead(200, HEADERS).end('<!doctype html><html lang="zh-CN"><meta charset="utf-8">'
    + '<meta name="viewport" content="width=device-width,initial-scale=1">'
    + '<meta name="color-scheme" content="light dark"><title>模拟支付 · Simulated payment</title>'
    + `<main><h1>模拟支付 ¥${(payment.amount / 100).toFixed(2)}</h1>`
    + `<p>${escaped(payment.title)}<p>${escaped(payment.orderNo)}`
    + '<form method="post"><button>确认付款（模拟） · <span lang="en">Pay (simulated)</span></button>'
    + '</form></main>')
}

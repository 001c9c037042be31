/** What the page says when something ends, is wrong or would be lost. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { PASSWORD } from '../../testing/console.ts'
import { describePage, openPage, signInAsNew, visit, type OpenPage } from '../../testing/page.ts'
import { attemptAt, supplyProduct } from '../../testing/products.ts'

/** 5 % of it is CNY 15. */
const PRICE = 30_000

describePage('words for people', {}, (stage) => {
  async function openNew(path: string) {
    const opened = await openPage(stage)
    await signInAsNew(opened)
    await visit(opened.page, path)
    return opened
  }

  /** A call of the console's API by the browser's session. */
  async function ask(
    { page }: OpenPage, method: string, path: string, data?: object,
    headers: Record<string, string> = {},
  ) {
    const session = await (await page.request.get('/console/api/session')).json() as
      { data: { csrf_token: string } }
    const answer = await page.request.fetch(`/console/api${path}`, {
      method, ...(data && { data }),
      headers: { 'X-CSRF-Token': session.data.csrf_token, ...headers },
    })
    return (await answer.json() as { data: Record<string, unknown> }).data
  }

  test('the sign-in page says how the session ended', async () => {
    const opened = await openNew('/agents')
    const { page } = opened
    await ask(opened, 'DELETE', '/sessions')
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByText('Your session has ended').waitFor()
    const { page: other } = await openNew('/account')
    await other.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect(other.getByText('You are signed out.').waitFor()).resolves.toBeUndefined()
  })

  test('deleting an account names the money that would be lost, and says when it is done',
    async () => {
      const opened = await openNew('/account')
      const { page } = opened
      const { agent } = await ask(opened, 'POST', '/agents', { label: 'x' })
      const product = await supplyProduct(stage.node.services.ledger, { price: PRICE })
      const { idempotency_key: key, ...body } = attemptAt(product)
      const { order_no: orderNo } = await ask(opened, 'POST', '/tools/v1/orders', body,
        { 'X-Agent': String(agent), 'Idempotency-Key': key })
      await ask(opened, 'POST', `/orders/${String(orderNo)}/moves`, { move: 'pay' })
      await expect.poll(async () => {
        const { balances } = await ask(opened, 'GET', '/earnings')
        const { pending, confirmed } = balances as { pending: number, confirmed: number }
        return pending + confirmed
      }).toBe(1500)
      await page.getByRole('button', { name: 'Delete account' }).click()
      const dialog = page.getByRole('dialog')
      const forfeit = dialog.getByLabel('I give up the ¥15.00 that is left in it.')
      await forfeit.waitFor()
      const submit = dialog.getByRole('button', { name: 'Delete account' })
      await submit.click()
      await dialog.getByText('Enter your password.').waitFor()
      await dialog.getByLabel('Present password').fill('not the password')
      await submit.click()
      await dialog.getByText('The present password is wrong.').waitFor()
      await dialog.getByLabel('Present password').fill(PASSWORD)
      await submit.click()
      await dialog.getByText('There is money left in the account.').waitFor()
      await forfeit.check()
      await submit.click()
      await page.getByText('The account is deleted.').waitFor()
    })

  test('a common password and an address without an order get a sentence', async () => {
    const { page } = await openPage(stage)
    await visit(page, '/register')
    await page.getByLabel('E-mail address').fill(`${randomUUID()}@mail.example`)
    await page.getByLabel('Password').fill('password123')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.locator('.field-problem').getByText('among the first').waitFor()
    const { page: owner } = await openNew('/orders/AMNOPE')
    const nothing = owner.getByRole('alert').getByText('There is nothing here for this account.')
    await expect(nothing.waitFor()).resolves.toBeUndefined()
  })

  test('the frame says that it is a sandbox, on a phone too', async () => {
    const { page } = await openNew('')
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await page.locator('header').getByText('Sandbox', { exact: true }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
  })

  test('a long dialog keeps its buttons in the window, also beside a problem', async () => {
    const opened = await openNew('')
    const { page } = opened
    await ask(opened, 'POST', '/agents', { label: 'x' })
    await page.setViewportSize({ width: 1280, height: 700 })
    await visit(page, '/agents')
    await page.getByRole('button', { name: /^Limits/ }).click()
    await page.getByLabel('Most per order').fill('x')
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    await page.getByText('Enter an amount in yuan').waitFor()
    const { y = 0, height = 0 } = await save.boundingBox() ?? {}
    expect(y + height).toBeLessThanOrEqual(700)
    const inner = await page.locator('.checks').evaluate((list) =>
      list.scrollHeight - list.clientHeight)
    expect(inner).toBe(0)
  })
})

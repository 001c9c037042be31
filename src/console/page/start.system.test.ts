/** The Start page: one agent after a reload, tools tried by the session, what they made carried. */
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { describePage, openPage, signInAsNew, visit } from '../../testing/page.ts'
import { supplyProduct } from '../../testing/products.ts'

describePage('the Start page', {}, (stage) => {
  async function openStart() {
    const opened = await openPage(stage)
    await signInAsNew(opened)
    await visit(opened.page, '')
    return opened
  }

  async function createFirst(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Create a key' }).click()
    const key = await page.getByTestId('new-key').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('button', { name: 'New key for it' }).waitFor()
    return key
  }

  const agentNames = (page: Page): Promise<string[]> =>
    page.getByLabel('Agent', { exact: true }).locator('option').allInnerTexts()

  const choose = (page: Page, tool: string) => page.getByLabel('Tool').selectOption(tool)

  /** Sends over both faces and waits for both answers; their words beside the status. */
  async function sendBoth(page: Page): Promise<string[]> {
    for (const button of await page.locator('.sending button').all()) await button.click()
    await expect.poll(() => page.locator('.exchange .status').count()).toBe(2)
    return await page.locator('.exchange .status').allInnerTexts()
  }

  test('after a reload the session orders for the agent, and the order moves on',
    async () => {
      const { page, complaints } = await openStart()
      const key = await createFirst(page)
      await page.reload()
      await page.getByText('you are signed in, so they need no key').waitFor()
      expect(await agentNames(page)).toEqual(['my first agent'])
      expect(await page.getByRole('button', { name: 'Create a key' }).count()).toBe(0)

      const product = await supplyProduct(stage.node.services.ledger)
      await choose(page, 'create_order')
      // The example is of the whole catalogue, which this node does not have.
      await page.getByLabel('merchant_id').fill(String(product.merchantId))
      await page.getByLabel('product_id').fill(String(product.productId))
      expect(await sendBoth(page)).toEqual(['200', '200'])
      const rest = page.getByRole('region', { name: 'REST: Answer' })
      const orderNo = /AM[0-7][0-9A-Z]{17}/.exec(await rest.innerText())?.[0] ?? ''
      expect(orderNo).not.toBe('')
      const request = page.getByRole('region', { name: 'REST: Request' })
      expect(await request.innerText()).toContain('Authorization: Bearer <API_KEY>')
      const cashier = await rest.locator('a').first().getAttribute('href')
      expect(cashier).toContain(`${stage.node.services.config.publicUrl}/pay/`)
      const placed = await stage.node.send('GET', `/v1/orders/${orderNo}`, { key })
      expect(placed.envelope.data.order_no).toBe(orderNo)

      await page.getByRole('button', { name: 'get_order_status' }).click()
      await expect.poll(() => page.getByLabel('order_no').inputValue()).toBe(orderNo)
      expect(await sendBoth(page)).toEqual(['200', '200'])
      await choose(page, 'get_logistics')
      expect(await page.getByLabel('order_no').inputValue()).toBe(orderNo)
      expect(await sendBoth(page)).toEqual(['400 not_shipped', '200 not_shipped'])
      expect(await page.locator('.exchange .status.bad').count()).toBe(2)
      const bar = page.locator('.order-bar')
      await bar.getByRole('button', { name: 'Pay' }).click()
      await bar.locator('.status').getByText(/delivered|completed/).waitFor()
      expect(await sendBoth(page)).toEqual(['200', '200'])
      await choose(page, 'request_aftersale')
      expect(await page.getByLabel('order_no').inputValue()).toBe(orderNo)

      // A call of before comes back as it was, the idempotency key too.
      await page.getByText(/^Calls of this visit/).click()
      await page.locator('.history button').filter({ hasText: 'create_order' }).click()
      expect(await page.getByLabel('product_id').inputValue()).toBe(String(product.productId))
      expect(await sendBoth(page)).toEqual(['200', '200'])
      expect(await rest.innerText()).toContain('"duplicate": true')

      // What the page forgot with the reload, its owner's last order tells.
      await page.reload()
      await choose(page, 'get_goods_detail')
      await choose(page, 'get_order_status')
      await expect.poll(async () => {
        await choose(page, 'get_goods_detail')
        await choose(page, 'get_order_status')
        return await page.getByLabel('order_no').inputValue()
      }).toBe(orderNo)
      expect(complaints).toEqual([])
    })

  test('the first key\'s dialog closes at once, and the form under it takes what is typed',
    async () => {
      const { page, complaints } = await openStart()
      const first = page.getByRole('button', { name: 'Create a key' })
      await first.waitFor()
      // The list of agents is answered only when the test says so.
      let release = (): void => {}
      const isTyped = new Promise<void>((resolve) => { release = resolve })
      await page.route('**/console/api/agents', async (route) => {
        if (route.request().method() === 'GET') await isTyped
        await route.continue()
      })
      await first.click()
      await page.getByRole('button', { name: 'I have saved it' }).click()
      expect(await page.getByRole('dialog').count()).toBe(0)
      const busy = page.getByRole('button', { name: 'One moment' })
      expect(await busy.getAttribute('aria-disabled')).toBe('true')
      await choose(page, 'create_order')
      await page.getByLabel('merchant_id').fill('4711')
      release()
      await page.getByRole('button', { name: 'New key for it' }).waitFor()
      expect(await page.getByLabel('merchant_id').inputValue()).toBe('4711')
      expect(complaints).toEqual([])
    })

  test('long answers wrap, and no two regions have one name', async () => {
    const { page } = await openStart()
    await createFirst(page)
    await choose(page, 'get_order_status')
    expect(await sendBoth(page)).toEqual(['404 not_found', '200 not_found'])
    const wide = await page.locator('.exchange pre').evaluateAll((blocks) =>
      blocks.filter((block) => block.scrollWidth > block.clientWidth).length)
    expect(wide).toBe(0)
    const names = await page.locator('[role=region], section[aria-label]').evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label')))
    expect(names).toEqual([...new Set(names)])
  })

  test('the button that sends is in reach wherever the form is', async () => {
    const { page } = await openStart()
    await createFirst(page)
    await choose(page, 'create_order')
    for (const field of ['idempotency_key', 'address']) {
      await page.getByLabel(field, { exact: true }).scrollIntoViewIfNeeded()
      const { y = 0 } = await page.getByRole('button', { name: 'Send over both' }).boundingBox()
        ?? {}
      expect(y).toBeGreaterThan(0)
      expect(y).toBeLessThan(page.viewportSize()?.height ?? 0)
    }
  })

  test('another agent has another name, and a new key is the chosen one\'s', async () => {
    const { page } = await openStart()
    await createFirst(page)
    await page.getByRole('button', { name: 'New agent' }).click()
    const name = page.getByLabel('Name')
    expect(await name.inputValue()).toBe('Agent 2')
    await name.fill('my first agent')
    await page.getByRole('button', { name: 'Create and show key' }).click()
    await page.getByText('You have an agent of that name.').waitFor()
    await name.fill('Agent 2')
    await page.getByRole('button', { name: 'Create and show key' }).click()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await expect.poll(() => agentNames(page)).toEqual(['my first agent', 'Agent 2'])
    await page.getByLabel('Agent', { exact: true }).selectOption('my first agent')
    await page.getByRole('button', { name: 'New key for it' }).click()
    await page.getByRole('button', { name: 'Rotate key' }).click()
    const key = await page.getByTestId('new-key').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('with the key of “my first agent”').waitFor()
    expect(await page.getByRole('region', { name: 'MCP: Request' }).innerText())
      .toContain(`Bearer ${key.slice(0, 8)}…`)
    expect(await sendBoth(page)).toEqual(['200', '200'])
  })

  test('a key can be pasted, into a field that no browser fills in', async () => {
    const { page } = await openStart()
    const key = await stage.node.newKey()
    await page.getByText('Use a key that you have').click()
    const field = page.getByLabel('Your API key')
    expect(await field.getAttribute('type')).toBe('text')
    expect(await field.getAttribute('autocomplete')).toBe('off')
    await field.fill(key)
    await choose(page, 'cps_mallb_orders')
    expect(await page.getByText('This tool needs an agent').count()).toBe(0)
    expect(await page.getByRole('region', { name: 'REST: Request' }).innerText())
      .toContain(`Bearer ${key.slice(0, 8)}…`)
  })
})

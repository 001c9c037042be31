/** Agents and keys, as their owner handles them. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePage, openPage, signInAsNew, visit } from '../../testing/page.ts'

describePage('agents and keys', {}, (stage) => {
  /** The page of somebody with one agent, and its key. */
  async function openWithAgent() {
    const opened = await openPage(stage)
    const { page } = opened
    await signInAsNew(opened)
    await visit(page, '/agents')
    await page.getByRole('button', { name: 'Create agent' }).first().click()
    await page.getByLabel('Name').fill('helper')
    await page.getByRole('button', { name: 'Create and show key' }).click()
    return { ...opened, key: await page.getByTestId('new-key').innerText() }
  }
  const saved = (page: Page) => page.getByRole('button', { name: 'I have saved it' }).click()
  const statusOf = async (key: string): Promise<number> =>
    (await stage.node.send('GET', '/v1/orders', { key })).status

  test('a key that is not saved survives the closing of its dialog', async () => {
    const { page, key } = await openWithAgent()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show it again' }).click()
    expect(await page.getByTestId('new-key').innerText()).toBe(key)
    await saved(page)
    expect(await page.getByRole('button', { name: 'Show it again' }).count()).toBe(0)
    expect(await page.content()).not.toContain(key)
    expect(await statusOf(key)).toBe(200)
  })

  test('a key that cannot be copied is selected, and the page says so', async () => {
    const { page, key } = await openWithAgent()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
    })
    await page.getByRole('button', { name: 'Copy: Key' }).click()
    await page.getByRole('alert').getByText('The text is selected').waitFor()
    expect(await page.evaluate(() => String(getSelection()))).toBe(key)
    await page.getByRole('button', { name: 'Not copied: Key' }).waitFor()
  })

  test('a session that ends while a new key is shown leaves it until it is closed', async () => {
    const opened = await openPage(stage)
    const { page } = opened
    await signInAsNew(opened)
    await visit(page, '/agents')
    // The session ends between the key and the reading of the list.
    await page.route('**/console/api/agents', async (route) => {
      const response = await route.fetch()
      if (route.request().method() === 'POST') await page.context().clearCookies()
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Create agent' }).first().click()
    await page.getByLabel('Name').fill('helper')
    const refused = page.waitForResponse((response) => response.status() === 401)
    await page.getByRole('button', { name: 'Create and show key' }).click()
    await refused
    await page.getByText('Your session has ended').waitFor()
    const key = await page.getByTestId('new-key').innerText()
    expect(await statusOf(key)).toBe(200)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.content()).not.toContain(key)
  })

  test('a rotated key leaves the old one its time, and a revoked one none', async () => {
    const { page, key, complaints } = await openWithAgent()
    await saved(page)
    await page.getByRole('button', { name: 'Rotate key: helper' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click()
    const next = await page.getByTestId('new-key').innerText()
    expect(next).not.toBe(key)
    await saved(page)
    await page.getByText('ending', { exact: true }).waitFor()
    expect([await statusOf(key), await statusOf(next)]).toEqual([200, 200])
    await page.getByRole('row', { name: /ending/ }).getByRole('button').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('revoked', { exact: true }).waitFor()
    await expect.poll(() => statusOf(key)).toBe(401)
    expect(await statusOf(next)).toBe(200)
    expect(complaints).toEqual([])
  })

  test('limits are typed in yuan and kept in fen; a wrong amount is not sent', async () => {
    const { page } = await openWithAgent()
    await saved(page)
    await page.getByRole('button', { name: 'Limits: helper' }).click()
    await page.getByLabel('Most per order').fill('12,5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter an amount in yuan').waitFor()
    await page.getByLabel('Most per order').fill('120.50')
    await page.getByLabel('Kitchenware').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('per order ≤ ¥120.50').waitFor()
    const { data } = await (await page.request.get('/console/api/agents')).json() as
      { data: { agents: { limits: object }[] } }
    expect(data.agents[0]?.limits).toEqual({ order_amount_max: 12_050, categories: [6] })
  })

  test('an agent is renamed and deleted, and its key with it', async () => {
    const { page, key } = await openWithAgent()
    await saved(page)
    await page.getByRole('button', { name: 'Rename: helper' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('gift finder')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: /^gift finder/ }).waitFor()
    await page.getByRole('button', { name: 'Delete: gift finder' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No agents yet' }).waitFor()
    // The button that opened the dialog is gone with the agent.
    await page.locator('h1:focus').waitFor()
    await expect.poll(() => statusOf(key)).toBe(401)
  })

  test('an unknown binding code is refused with a sentence', async () => {
    const { page } = await openWithAgent()
    await saved(page)
    await page.getByRole('button', { name: 'Enter binding code' }).click()
    await page.getByRole('textbox', { name: 'Binding code' }).fill('0000000000000000')
    await page.getByRole('button', { name: 'Move it here' }).click()
    await expect(page.getByRole('alert').getByText('The code is unknown').waitFor())
      .resolves.toBeUndefined()
  })
})

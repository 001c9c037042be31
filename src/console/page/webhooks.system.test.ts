/** Webhooks, as their owner handles them. */
import { expect, onTestFinished, test } from 'vitest'
import { describePage, findings, openPage, signInAsNew, visit } from '../../testing/page.ts'
import { answerOk, startReceiver } from '../../testing/receiver.ts'

const HOSTILE = '<img src=x onerror="document.title=1">\u202e</code></pre><script>x</script>'

describePage('webhooks', {}, (stage) => {
  async function openReceiver() {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    return receiver
  }

  /** The page of somebody with one active endpoint for tests, and the endpoint's secret. */
  async function openWithHook() {
    const [opened, receiver] = [await openPage(stage), await openReceiver()]
    const { page } = opened
    await signInAsNew(opened)
    await visit(page, '/webhooks')
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('button', { name: 'Only these' }).click()
    await page.getByLabel('Webhooks webhook.*').check()
    await page.getByRole('button', { name: 'Create and show secret' }).click()
    const secret = await page.getByTestId('new-secret').innerText()
    return { ...opened, receiver, secret }
  }

  test('a secret that is not saved survives the closing of its dialog', async () => {
    const { page, secret } = await openWithHook()
    expect(secret).toMatch(/^whsec_/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show it again' }).click()
    expect(await page.getByTestId('new-secret').innerText()).toBe(secret)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    expect(await page.content()).not.toContain(secret)
    await page.getByText('active', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Rotate secret:/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByText('The secret before it stays good until').waitFor()
    expect(await page.getByTestId('new-secret').innerText()).not.toBe(secret)
  })

  test('a test arrives; a hostile answer is shown as text; it is sent again with its id',
    async () => {
      const { page, receiver, complaints } = await openWithHook()
      await page.getByRole('button', { name: 'I have saved it' }).click()
      await page.getByText('active', { exact: true }).waitFor()
      receiver.answer = (_, response) => response.writeHead(200).end(HOSTILE)
      await page.getByRole('button', { name: /^Send a test:/ }).click()
      await page.getByRole('link', { name: /^Attempts/ }).click()
      // The page loads its list anew until the test stands in it, before the challenge.
      await page.getByRole('button', { name: /^Send again: webhook.test/ }).waitFor()
      await page.getByText('Answer (first 1 KB)').first().click()
      expect(await page.locator('.attempts pre').first().innerText()).toContain('<img src=x')
      expect(await findings(page)).toEqual([])
      await page.getByRole('button', { name: /^Send again: webhook.test/ }).click()
      await expect.poll(() => receiver.events.length).toBe(2)
      const [one, again] = receiver.events
      expect(again?.event.id).toBe(one?.event.id)
      expect(complaints).toEqual([])
      expect(await page.title()).toBe('Webhook · agentmall')
    })

  test('one that was disabled says why, is enabled, changed and deleted', async () => {
    const { page, receiver } = await openWithHook()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('active', { exact: true }).waitFor()
    receiver.answer = (_, response) => response.writeHead(410).end()
    await page.getByRole('button', { name: /^Send a test:/ }).click()
    await page.getByText('Disabled: the receiver answered 410').waitFor()
    receiver.answer = answerOk
    await page.getByRole('button', { name: /^Enable again:/ }).click()
    await page.getByText('active', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Disable:/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('It was disabled by hand').waitFor()
    await page.getByRole('button', { name: /^Enable again:/ }).click()
    await page.getByText('active', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Edit:/ }).click()
    await page.getByLabel('Address').fill('https://10.0.0.1/hook')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The address must lead to a public host.').waitFor()
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('button', { name: 'All events' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('listitem').getByText('All events').waitFor()
    await page.getByRole('button', { name: /^Delete:/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    await expect(page.locator('h1:focus').waitFor()).resolves.toBeUndefined()
  })
})

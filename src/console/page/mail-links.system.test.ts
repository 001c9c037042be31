/** Mails lead back to the page: an address is confirmed, a forgotten password set anew. */
import { expect, test } from 'vitest'
import { newEmail, PASSWORD } from '../../testing/console.ts'
import { describePage, openPage, seriousFindings, visit } from '../../testing/page.ts'

const NEXT = 'quite another password'

describePage('links of mails', {}, (stage) => {
  test('links of mails confirm the address and set a new password once', async () => {
    const { node } = stage
    const email = newEmail()
    const { page, complaints } = await openPage(stage)
    await visit(page, '/register')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Start', exact: true }).waitFor()
    await visit(page, '/account')
    await page.getByText(`Confirm ${email}`).waitFor()
    expect(await seriousFindings(page)).toEqual([])

    await visit(page, `/verify#${await node.mailedToken(email, 'verify')}`)
    expect(page.url()).not.toContain('#')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Confirm the address' }).click()
    await page.getByText('The address is confirmed.').waitFor()
    await page.getByRole('link', { name: 'Go to the console' }).click()
    await visit(page, '/account')
    expect(await page.getByText(`Confirm ${email}`).count()).toBe(0)

    await page.context().clearCookies()
    await visit(page, '/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('a mail with a link is on its way').waitFor()
    // Nobody sends it here: where it is, and who else can help.
    await page.getByText('its mails are files').waitFor()
    await page.getByText('account reset-link').waitFor()
    const token = await node.mailedToken(email, 'reset')
    await visit(page, `/reset#${token}`)
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('at least 10').first().waitFor()
    await page.getByLabel('New password').fill(NEXT)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('heading', { name: 'Start', exact: true }).waitFor()

    await page.context().clearCookies()
    await visit(page, `/reset#${token}`)
    await page.getByLabel('New password').fill(NEXT)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('this link is over, or was used').waitFor()
    expect(complaints).toEqual([])
  })

  test('only the owner of an address learns that it has an account', async () => {
    const { node } = stage
    const email = newEmail()
    const { page } = await openPage(stage)
    await page.request.post('/console/api/register', { data: { email, password: PASSWORD } })
    await visit(page, '/register')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(NEXT)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('This address has an account').waitFor()
    await page.getByRole('link', { name: 'Set a new password' }).click()
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    expect(await node.mailedToken(email, 'reset')).not.toBe('')
  })
})

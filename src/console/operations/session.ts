/** Sign-in, sign-out, and the account itself. */
import { Type } from 'typebox'
import type { Session } from '../../contract/caller.ts'
import { Refusal } from '../../contract/errors.ts'
import { defineOperation } from '../../operations/define.ts'
import { CLOSED, like, Optional } from '../../contract/fields.ts'
import type { Services } from '../../services.ts'
import { Done, Email, NoInput, Password, SessionInfo } from './fields.ts'

const CREDENTIALS = { email: 'shopper@example.com', password: 'correct horse battery staple' }

export const register = defineOperation({
  name: 'register',
  title: 'Register',
  description: 'Makes an account and mails a link that confirms its address. The answer is the '
    + 'same where the address has an account already: its owner gets a mail that says so, and '
    + 'signing in works with the password of that account only.',
  access: 'visitor',
  effect: 'create',
  route: 'POST /register',
  input: Type.Object({ email: Email, password: Password }, CLOSED),
  output: Done,
  fails: [],
  example: CREDENTIALS,
  async handle({ email, password }, { caller, services }) {
    await services.accounts.register(email, password, caller.client.address)
    return {}
  },
})

export const signIn = defineOperation({
  name: 'sign_in',
  title: 'Sign in',
  description: 'Opens a session: a cookie for /console, and a token that every change carries.',
  access: 'visitor',
  effect: 'create',
  route: 'POST /session',
  input: Type.Object({ email: Email, password: Password }, CLOSED),
  output: SessionInfo,
  fails: ['sign_in_refused'],
  example: CREDENTIALS,
  async handle({ email, password }, { caller, services }) {
    const { device, client } = caller
    const who = await services.accounts.signIn(email, password, client.address, device)
    if (!who) throw new Refusal('sign_in_refused')
    const session = await services.sessions.start(who)
    caller.keepSession(session, who.device)
    return await infoOf(session, services)
  },
})

export const getSession = defineOperation({
  name: 'get_session',
  title: 'Who is signed in',
  description: 'The account of this session and its token; the cookie is renewed.',
  access: 'owner',
  effect: 'read',
  route: 'GET /session',
  input: NoInput,
  output: SessionInfo,
  fails: [],
  example: {},
  async handle(_, { caller, services }) {
    caller.keepSession(caller.session)
    return await infoOf(caller.session, services)
  },
})

export const signOut = defineOperation({
  name: 'sign_out',
  title: 'Sign out',
  description: 'Ends this session.',
  access: 'owner',
  effect: 'update',
  route: 'DELETE /session',
  input: NoInput,
  output: Done,
  fails: [],
  example: {},
  async handle(_, { caller, services }) {
    await services.sessions.end(caller.session.id)
    caller.keepSession()
    return {}
  },
})

export const signOutEverywhere = defineOperation({
  name: 'sign_out_everywhere',
  title: 'Sign out everywhere',
  description: 'Ends every session of the account, this one too.',
  access: 'owner',
  effect: 'update',
  route: 'DELETE /sessions',
  input: NoInput,
  output: Done,
  fails: [],
  example: {},
  async handle(_, { caller, services }) {
    await services.accounts.signOutEverywhere(caller.account)
    caller.keepSession()
    return {}
  },
})

export const changePassword = defineOperation({
  name: 'change_password',
  title: 'Change the password',
  description: 'Ends every other session; this browser gets a new one.',
  access: 'owner',
  effect: 'update',
  route: 'PUT /password',
  input: Type.Object({ password: Password, new_password: Password }, CLOSED),
  output: SessionInfo,
  fails: ['sign_in_refused'],
  example: { password: CREDENTIALS.password, new_password: 'another horse battery staple' },
  async handle({ password, new_password }, { caller, services }) {
    const { account, client } = caller
    const who = await services.accounts.changePassword(
      account, password, new_password, client.address)
    if (!who) throw new Refusal('sign_in_refused')
    const session = await services.sessions.start(who)
    caller.keepSession(session)
    return await infoOf(session, services)
  },
})

export const closeAccount = defineOperation({
  name: 'close_account',
  title: 'Delete the account',
  description: 'Its keys end at once and its address is forgotten; its orders and books stay. '
    + 'Refused while a withdrawal is under way, and while money is left, which `forfeit` gives up.',
  access: 'owner',
  effect: 'update',
  route: 'DELETE /account',
  input: Type.Object({
    password: Password,
    forfeit: Optional(Type.Boolean({ description: 'Also when there is money left in it' })),
  }, CLOSED),
  output: Done,
  fails: ['sign_in_refused', 'withdrawal_refused'],
  example: { password: CREDENTIALS.password },
  async handle({ password, forfeit = false }, { caller, services }) {
    const { account, client } = caller
    const isDone =
      await services.accounts.deleteAccount(account, password, client.address, { forfeit })
    if (!isDone) {
      throw new Refusal('sign_in_refused')
    }
    caller.keepSession()
    return {}
  },
})

const Proof = like(
  Type.String({ minLength: 1, maxLength: 1000, secret: true, description: 'From the mail' }),
  'm1.from-the-mail')

export const verifyEmail = defineOperation({
  name: 'verify_email',
  title: 'Confirm the address',
  description: 'With what stands behind # in the link of the mail. Withdrawals need it.',
  access: 'visitor',
  effect: 'update',
  route: 'POST /email/verified',
  input: Type.Object({ token: Proof }, CLOSED),
  output: Done,
  fails: [],
  example: { token: 'm1.from-the-mail' },
  async handle({ token }, { services }) {
    if (!await services.accounts.verifyAddress(token)) throw linkIsOver()
    return {}
  },
})

export const sendVerification = defineOperation({
  name: 'send_verification',
  title: 'Send the mail again',
  description: 'The mail whose link confirms the address of the account.',
  access: 'owner',
  effect: 'create',
  route: 'POST /email/verification',
  input: NoInput,
  output: Done,
  fails: [],
  example: {},
  async handle(_, { caller: { account, client }, services }) {
    await services.accounts.sendVerification(account, client.address)
    return {}
  },
})

export const requestPasswordReset = defineOperation({
  name: 'request_password_reset',
  title: 'Forgot the password',
  description: 'Mails a link that sets a new password, for an hour and once. The answer is the '
    + 'same where the address has no account.',
  access: 'visitor',
  effect: 'create',
  route: 'POST /password-reset',
  input: Type.Object({ email: Email }, CLOSED),
  output: Done,
  fails: [],
  example: { email: CREDENTIALS.email },
  async handle({ email }, { caller, services }) {
    await services.accounts.requestReset(email, caller.client.address)
    return {}
  },
})

export const resetPassword = defineOperation({
  name: 'reset_password',
  title: 'Set a new password',
  description: 'With what stands behind # in the link of the mail. Ends every session, and holds '
    + 'withdrawals for a while.',
  access: 'visitor',
  effect: 'update',
  route: 'PUT /password-reset',
  input: Type.Object({ token: Proof, new_password: Password }, CLOSED),
  output: SessionInfo,
  fails: [],
  example: { token: 'm1.from-the-mail', new_password: 'another horse battery staple' },
  async handle({ token, new_password }, { caller, services }) {
    const who = await services.accounts.resetPassword(token, new_password, caller.client.address)
    if (!who) throw linkIsOver()
    const session = await services.sessions.start(who)
    caller.keepSession(session)
    return await infoOf(session, services)
  },
})

const linkIsOver = (): Refusal => new Refusal('invalid_request', {
  hint: 'Ask for a new mail: this link is over, or was used.',
  fields: [{ path: 'token', problem: 'is not valid any more' }],
})

async function infoOf({ account, csrf }: Session, { accounts }: Services) {
  const [email = '', email_verified] =
    await Promise.all([accounts.emailOf(account), accounts.isVerified(account)])
  return { account, email, email_verified, csrf_token: csrf }
}

/** What mails say, in Chinese and English: nobody knows a new owner's language yet. */
import type { Mail } from '../mail/mailer.ts'

type Text = Omit<Mail, 'to'>

const both = (zh: readonly string[], en: readonly string[]): string =>
  [...zh, '', '— — —', '', ...en, ''].join('\n')

export const verifyMail = (link: string): Text => ({
  subject: 'agentmall：确认邮箱 / Confirm your address',
  text: both(
    ['请打开链接，确认此邮箱属于您的 agentmall 账户：', link, '', '链接 7 天内有效。'
      + '如果不是您注册的，请忽略此邮件。'],
    ['Open the link to confirm that this address belongs to your agentmall account:', link, '',
      'It is valid for 7 days. If you did not register, ignore this mail.']),
})

export const knownMail = (link: string): Text => ({
  subject: 'agentmall：此邮箱已有账户 / You have an account',
  text: both(
    ['有人用此邮箱注册 agentmall，但它已有账户。如果是您，请直接登录，或用链接设置新密码：', link,
      '', '链接 1 小时内有效。如果不是您，请忽略此邮件：账户没有任何变化。'],
    ['Somebody registered at agentmall with this address, which has an account already. If it was '
      + 'you, sign in, or set a new password with this link:', link, '',
    'It is valid for an hour. If it was not you, ignore this mail: nothing has changed.']),
})

export const resetMail = (link: string): Text => ({
  subject: 'agentmall：设置新密码 / Set a new password',
  text: both(
    ['请打开链接设置新密码：', link, '', '链接 1 小时内有效，只能用一次。设置后，提现会暂缓一段时间。'
      + '如果不是您要求的，请忽略此邮件：密码没有变化。'],
    ['Open the link to set a new password:', link, '',
      'It is valid for an hour and works once. Withdrawals are held for a while after it. '
      + 'If you did not ask for it, ignore this mail: your password has not changed.']),
})

export const passwordChangedMail = (console: string): Text => ({
  subject: 'agentmall：密码已更改 / Your password was changed',
  text: both(
    ['您的 agentmall 账户密码已更改，其他设备已退出登录。如果不是您所为，请立即在此重设密码：',
      `${console}/forgot`],
    ['The password of your agentmall account was changed, and other devices were signed out. If it '
      + 'was not you, set a new one now:', `${console}/forgot`]),
})

export const newPayeeMail = (payee: string, from: string, console: string): Text => ({
  subject: 'agentmall：新的收款账户 / A new payee',
  text: both(
    [`您的账户申请向新的收款账户（${payee}）提现。${from} 之前不会付款。`,
      '如果不是您所为，请立即取消提现并更改密码：', `${console}/earnings`],
    [`A withdrawal to a new payee (${payee}) was requested from your account. `
      + `It is not paid before ${from}.`,
    'If it was not you, cancel it and change your password now:', `${console}/earnings`]),
})

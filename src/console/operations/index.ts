/** The console's operation table. Its routes, their documents and its page derive from it. */
import type { NodeOperation } from '../../operations/define.ts'
import { getActivity } from './activity.ts'
import {
  bindTrial, createAgent, deleteAgent, listAgents, renameAgent, revokeKey, rotateKey,
  setAgentLimits,
} from './agents.ts'
import {
  cancelWithdrawal, endSandboxMonthOperation, getEarnings, listWithdrawals,
  moveSandboxWithdrawalOperation, requestWithdrawal,
} from './earnings.ts'
import {
  getAccountOrder, getPurchase, listAccountOrdersOperation, listPurchases, moveSandboxOrder,
} from './orders.ts'
import { getService } from './service.ts'
import {
  changePassword, closeAccount, getSession, register, requestPasswordReset, resetPassword,
  sendVerification, signIn, signOut, signOutEverywhere, verifyEmail,
} from './session.ts'
import {
  createAccountWebhook, deleteAccountWebhook, getAccountWebhook, listAccountWebhookAttempts,
  listAccountWebhooks, listOrderAttempts, resendAccountEvent, resendAccountEvents,
  rotateAccountWebhookSecret, testAccountWebhook, updateAccountWebhook,
} from './webhooks.ts'

export const consoleOperations: readonly NodeOperation[] = [
  getService,
  register, signIn, getSession, signOut, signOutEverywhere, changePassword, closeAccount,
  verifyEmail, sendVerification, requestPasswordReset, resetPassword,
  listAgents, createAgent, renameAgent, deleteAgent, rotateKey, revokeKey, setAgentLimits,
  bindTrial,
  getActivity, listAccountOrdersOperation, getAccountOrder, moveSandboxOrder,
  listPurchases, getPurchase,
  listAccountWebhooks, createAccountWebhook, getAccountWebhook, updateAccountWebhook,
  deleteAccountWebhook, rotateAccountWebhookSecret, testAccountWebhook,
  listAccountWebhookAttempts, resendAccountEvent, resendAccountEvents, listOrderAttempts,
  getEarnings, listWithdrawals, requestWithdrawal, cancelWithdrawal,
  endSandboxMonthOperation, moveSandboxWithdrawalOperation,
]

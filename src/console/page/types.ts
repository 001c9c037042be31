/** Types of the API's answers, derived from its operation table. */
import type { Static } from 'typebox'
import type { describeEntry } from '../../earnings/statement.ts'
import type { getActivity } from '../operations/activity.ts'
import type { createAgent, listAgents, rotateKey } from '../operations/agents.ts'
import type {
  endSandboxMonthOperation, getEarnings, listWithdrawals, moveSandboxWithdrawalOperation,
} from '../operations/earnings.ts'
import type {
  getAccountOrder, getPurchase, listAccountOrdersOperation, listPurchases, moveSandboxOrder,
} from '../operations/orders.ts'
import type { getService } from '../operations/service.ts'
import type {
  createAccountWebhook, listAccountWebhookAttempts, listAccountWebhooks, listOrderAttempts,
  rotateAccountWebhookSecret,
} from '../operations/webhooks.ts'
import type { getSession } from '../operations/session.ts'

export type Session = Static<typeof getSession['output']>
export type Service = Static<typeof getService['output']>
export type Tool = Service['tools'][number]
export type Agent = Static<typeof listAgents['output']>['agents'][number]
export type AgentKey = Agent['keys'][number]
export type AgentLimits = Agent['limits']
export type CreatedAgent = Static<typeof createAgent['output']>
export type RotatedKey = Static<typeof rotateKey['output']>
export type Activity = Static<typeof getActivity['output']>
export type ActivityRow = Activity['rows'][number]
export type OrdersAnswer = Static<typeof listAccountOrdersOperation['output']>
export type OrderRow = OrdersAnswer['items'][number]
export type Order = Static<typeof getAccountOrder['output']>
export type PurchasesAnswer = Static<typeof listPurchases['output']>
export type Purchase = Static<typeof getPurchase['output']>
export type CommissionInfo = NonNullable<Order['commission']>
export type SandboxMove = Static<typeof moveSandboxOrder['input']>['move']
export type Earnings = Static<typeof getEarnings['output']>
export type MonthEnd = Static<typeof endSandboxMonthOperation['output']>
export type WithdrawalMove = Static<typeof moveSandboxWithdrawalOperation['input']>['move']
export type Withdrawal = Static<typeof listWithdrawals['output']>['withdrawals'][number]
export type Hook = Static<typeof listAccountWebhooks['output']>['webhooks'][number]
export type CreatedHook = Static<typeof createAccountWebhook['output']>
export type RotatedSecret = Static<typeof rotateAccountWebhookSecret['output']>
export type HookAttempts = Static<typeof listAccountWebhookAttempts['output']>
export type HookAttempt = HookAttempts['attempts'][number]
export type OrderAttempt = Static<typeof listOrderAttempts['output']>['attempts'][number]
export type EntryData = NonNullable<ReturnType<typeof describeEntry>>['data']

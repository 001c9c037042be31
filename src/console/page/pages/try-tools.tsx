/** Tools tried from the page: a form, the same call over both faces, and the calls so far. */
import { effect, signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, useAction, useLive, useLoad, useSoon } from '../api.ts'
import { zhTools } from '../i18n/terms.ts'
import { t } from '../i18n/text.ts'
import { Code, Copy } from '../parts/code.tsx'
import { Field } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Status } from '../parts/page.tsx'
import { language } from '../preferences.ts'
import { apiKey, chosenAgent, copiedKey, service, session, shownKey } from '../session.ts'
import type { Order, OrdersAnswer, SandboxMove, Tool } from '../types.ts'
import { type Schema, SchemaForm, type Values } from './schema-form.tsx'
import {
  type Answer, asCurl, asText, knownValues, firstValues, mcpRequest, rememberValues, rememberOrder,
  type Request, restRequest, send, sessionAgent, signedFor,
} from './tool-calls.ts'

interface Choice {
  readonly name: string
  /** What an answer suggested for its fields. */
  readonly given: Values
  /** Counts choices: each starts a new form, also for the same tool. */
  readonly turn: number
}

export function TryIt() {
  const tools = service.value?.tools ?? []
  const [{ name, given, turn }, setChoice] = useState<Choice>(
    { name: tools[0]?.name ?? '', given: {}, turn: 0 })
  const choose = (next: string, values: Values = {}): void =>
    setChoice((before) => ({ name: next, given: values, turn: before.turn + 1 }))
  useLastOrder()
  const at = tools.findIndex((one) => one.name === name)
  const tool = tools[at]
  if (!tool) return null
  const after = tools[(at + 1) % tools.length] as Tool
  return (
    <div class="card try">
      <div class="try-tool">
        <Field label={t('try.tool')}>
          {(attributes) => (
            <select {...attributes} value={name}
              onChange={(event) => choose(event.currentTarget.value)}>
              {GROUPS.map(([group, isIn]) => (
                <optgroup key={group} label={t(group)}>
                  {tools.filter(isIn).map((one) => (
                    <option key={one.name} value={one.name}>{one.name} – {titleOf(one)}</option>
                  ))}
                </optgroup>
              ))}
            </select>
          )}
        </Field>
        <button type="button" class="button" onClick={() => choose(after.name)}>
          {t('try.next')}</button>
      </div>
      <p class="soft" lang={language.value === 'en' ? undefined : 'en'}>{tool.description}</p>
      <History onChoose={choose} />
      <ToolTrial key={`${turn} ${signedFor()}`} tool={tool} given={given} onNext={choose} />
    </div>
  )
}

/** The API's own title is English. */
const titleOf = ({ name, title }: Tool): string =>
  (language.value === 'zh' ? zhTools[name] ?? title : title)

const isOfMalls = ({ name }: Tool): boolean => /^(cps|shelf)_/.test(name)
const GROUPS = [
  ['try.own', (tool: Tool) => !isOfMalls(tool)], ['try.malls', isOfMalls],
] as const

/** After a reload examples use the agent's last order. */
function useLastOrder(): void {
  const agent = chosenAgent.value
  useEffect(() => {
    if (agent === undefined || knownValues.value.orders[agent] !== undefined) return
    call<OrdersAnswer>('GET', `/orders?agent=${agent}&limit=1`).then(({ items: [last] }) => {
      const isKnown = knownValues.value.orders[agent] !== undefined
      if (last && !isKnown && apiKey.value === '') rememberOrder(agent, last.order_no)
    }, () => {
      // The examples' own order number stays: nothing else needs this.
    })
  }, [agent])
}

type Face = 'rest' | 'mcp'
const FACES: readonly Face[] = ['rest', 'mcp']

interface ToolTrialProps {
  readonly tool: Tool
  readonly given: Values
  onNext(tool: string, given: Values): void
}

function ToolTrial({ tool, given, onNext }: ToolTrialProps) {
  const [first] = useState(() => firstValues(tool, knownValues.value))
  const [values, setValues] = useState<Values>(() => ({ ...first.values, ...given }))
  const { answers, busy, sendOver } = useCalls(tool.name, values, (face) =>
    requestOf(face, apiKey.value))
  const place = useRef<HTMLDivElement>(null)
  const requestOf = (face: Face, key: string): Request =>
    (face === 'rest' ? restRequest : mcpRequest)(tool, values, key)

  function press(...faces: Face[]): void {
    bringIntoView(place.current)
    void sendOver(...faces)
  }

  const isTwiceHarmless = tool.effect === 'read' || 'idempotency_key' in values
  const data = answers.rest?.data ?? answers.mcp?.data
  const orderNo = data?.['order_no'] ?? values['order_no']
  return (
    <>
      {typeof orderNo === 'string' && <OrderBar key={orderNo} orderNo={orderNo} />}
      <div class="try-columns">
        <form class="try-form" noValidate onSubmit={(event) => {
          event.preventDefault()
          press(...(isTwiceHarmless ? FACES : ['rest'] as const))
        }}>
          {first.filled.length > 0 && (
            <p class="field-hint">{t('try.filled')} <code>{first.filled.join(', ')}</code></p>
          )}
          <SchemaForm schema={tool.input as Schema} values={values} onChange={setValues}
            shown={Object.keys(first.values)} />
          <Sending tool={tool} isTwiceHarmless={isTwiceHarmless} onMcp={() => press('mcp')} />
        </form>
        <div class="try-answers" ref={place}>
          {FACES.map((face) => (
            <Exchange key={face} title={face.toUpperCase()} answer={answers[face]}
              isBusy={busy.includes(face)} requestOf={(key) => requestOf(face, key)} />
          ))}
          {data && <Suggestions data={data} now={tool.name} onNext={onNext} />}
        </div>
      </div>
    </>
  )
}

/** The buttons, with a warning or a hint. */
function Sending({ tool, isTwiceHarmless, onMcp }: {
  readonly tool: Tool
  readonly isTwiceHarmless: boolean
  onMcp(): void
}) {
  const isUnsigned = apiKey.value === '' && chosenAgent.value === undefined
  return (
    <>
      {tool.access === 'key' && isUnsigned && <p class="warning-text">{t('try.needs_key')}</p>}
      <div class="actions sending">
        <button type="submit" class="button primary">
          {isTwiceHarmless ? t('try.send_both') : t('try.send_rest')}</button>
        {!isTwiceHarmless && (
          <button type="button" class="button" onClick={onMcp}>{t('try.send_mcp')}</button>
        )}
      </div>
      {tool.effect !== 'read' && (
        <p class="field-hint">{t(isTwiceHarmless ? 'try.once' : 'try.twice')}</p>
      )}
    </>
  )
}

type Answers = Partial<Record<Face, Answer>>

/** Calls over the faces, and their answers to the present values. */
function useCalls(name: string, values: Values, requestOf: (face: Face) => Request) {
  const [answers, setAnswers] = useState<Answers>({})
  const [busy, setBusy] = useState<readonly Face[]>([])
  // An answer to earlier values would mislead beside these.
  useEffect(() => { setAnswers({}) }, [values])

  async function sendOver(...faces: Face[]): Promise<void> {
    const free = faces.filter((face) => !busy.includes(face))
    setBusy((all) => [...all, ...free])
    const made = await Promise.all(free.map(async (face) => {
      const answer = await send(requestOf(face), sessionAgent())
      if (answer.data) rememberValues(answer.data)
      setAnswers((all) => ({ ...all, [face]: answer }))
      setBusy((all) => all.filter((one) => one !== face))
      return answer
    }))
    if (made.length > 0) noteCall(name, values, made)
  }
  return { answers, busy, sendOver }
}

/** Below a form that is longer than the window nobody would see the answers. */
function bringIntoView(element: HTMLElement | null): void {
  const top = element?.getBoundingClientRect().top ?? 0
  if (top < 0 || top > innerHeight / 3) element?.scrollIntoView({ block: 'start' })
}

interface Suggestion {
  readonly tool: string
  readonly arguments: Values
  readonly when: string
}

/** `next_actions` of the answer, as buttons that fill in the form. */
function Suggestions({ data, now, onNext }: {
  readonly data: Values
  readonly now: string
  readonly onNext: ToolTrialProps['onNext']
}) {
  const known = new Set(service.value?.tools.map(({ name }) => name))
  const suggested = ((data['next_actions'] ?? []) as readonly Suggestion[])
    .filter(({ tool }) => tool !== now && known.has(tool))
  if (suggested.length === 0) return null
  return (
    <div class="suggestions">
      <span class="soft">{t('try.suggested')}</span>
      {suggested.map(({ tool, when, arguments: given }) => (
        <button key={tool} type="button" class="button small" title={when}
          onClick={() => onNext(tool, given)}><code>{tool}</code></button>
      ))}
    </div>
  )
}

interface ExchangeProps {
  readonly title: string
  readonly answer: Answer | undefined
  readonly isBusy: boolean
  requestOf(key: string): Request
}

function Exchange({ title, answer, isBusy, requestOf }: ExchangeProps) {
  const origin = service.value?.public_url ?? ''
  const copied = requestOf(copiedKey())
  return (
    <section class="exchange" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <Copy text={asCurl(copied, origin)} what={title} label={t('try.copy_curl')} />
      </header>
      <Code title={t('try.request')} of={title} text={asText(requestOf(shownKey()))}
        copied={asText(copied)} isJson />
      <div role="status" aria-live="polite">
        {isBusy ? <p class="soft">{t('working')}</p>
          : answer ? <AnswerShown answer={answer} of={title} />
            : <p class="soft waiting">{t('try.waiting')}</p>}
      </div>
    </section>
  )
}

function AnswerShown({ answer, of }: { readonly answer: Answer, readonly of: string }) {
  const { status, ms, text, error } = answer
  if (status === 0) return <p class="warning-text">{t('error.offline')}</p>
  return (
    <Code title={t('try.answer')} of={of} text={text} isJson linksTo={service.value?.public_url}>
      <span class={`status ${error === undefined ? 'good' : 'bad'}`}>
        {error === undefined ? status : `${status} ${error}`}</span>
      <span class="soft numbers">{ms} ms</span>
    </Code>
  )
}

interface PastCall {
  readonly name: string
  readonly given: Values
  /** Status and error of each face. */
  readonly outcomes: readonly string[]
  readonly isRefused: boolean
}

const CALLS_KEPT = 12
const SHOWN_LENGTH = 60

const history = signal<readonly PastCall[]>([])
effect(() => { if (session.value === null) history.value = [] })

const same = (one: PastCall, other: PastCall): boolean =>
  one.name === other.name && JSON.stringify(one.given) === JSON.stringify(other.given)

/** A repeated call replaces the earlier one. */
function noteCall(name: string, given: Values, answers: readonly Answer[]): void {
  const made: PastCall = {
    name, given,
    isRefused: answers.some(({ error, status }) => error !== undefined || status === 0),
    outcomes: [...new Set(answers.map(({ status, error = '' }) => `${status} ${error}`.trim()))],
  }
  history.value = [made, ...history.value.filter((one) => !same(one, made))].slice(0, CALLS_KEPT)
}

function History({ onChoose }: { onChoose(tool: string, given: Values): void }) {
  if (history.value.length === 0) return null
  return (
    <details class="history">
      <summary>{t('try.history', { n: history.value.length })}</summary>
      <ol>
        {history.value.map((made) => (
          <li key={`${made.name} ${JSON.stringify(made.given)}`}>
            <button type="button" onClick={() => onChoose(made.name, made.given)}>
              <code>{made.name}</code>{' '}
              <span class={`status ${made.isRefused ? 'bad' : 'good'}`}>
                {made.outcomes.join(' · ')}</span>{' '}
              <span class="soft">{summaryOf(made.given)}</span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** The plain values, by which calls differ. */
const summaryOf = (given: Values): string => Object.entries(given)
  .filter(([name, value]) => typeof value !== 'object' && name !== 'idempotency_key')
  .map(([, value]) => String(value)).join(' · ').slice(0, SHOWN_LENGTH)

/** The next move of buyer, merchant or carrier. */
const NEXT: Partial<Record<Order['status'], SandboxMove>> = {
  pending_payment: 'pay', paid: 'accept', merchant_accepted: 'ship', shipped: 'deliver',
}

function OrderBar({ orderNo }: { readonly orderNo: string }) {
  const order = useLoad(() => call<Order>('GET', `/orders/${encodeURIComponent(orderNo)}`),
    [orderNo])
  const readAgain = useSoon(order.reload)
  useLive(({ type, data }) => {
    if (type === 'reset' || (type === 'order' && data.order_no === orderNo)) readAgain()
  })
  const action = useAction(async (move: SandboxMove) => {
    try {
      await call('POST', `/orders/${orderNo}/moves`, { move })
    } finally {
      await order.reload()
    }
  })
  // An order of another account, as with a pasted key, cannot be read here.
  if (!order.data) return null
  const { status, pay_url: cashier } = order.data
  const move = service.value?.sandbox ? NEXT[status] : undefined
  return (
    <div class="order-bar">
      <p>
        <a href={`/console/orders/${orderNo}`}><code>{orderNo}</code></a>{' '}
        <Status group="order" word={status} />
      </p>
      <div class="actions">
        {cashier && (
          <a class="button small" href={cashier} target="_blank" rel="noopener">
            {t('order.cashier')}<Icon name="external" /></a>
        )}
        {move && (
          <button type="button" class="button small" aria-disabled={action.isBusy}
            onClick={() => void action.run(move)}>{t(`sandbox.${move}`)}</button>
        )}
      </div>
      {move && <p class="field-hint">{t('try.moves')}</p>}
      <ProblemNotice problem={action.problem} />
    </div>
  )
}

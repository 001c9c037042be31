/** One tool: its form, and the same call over both faces. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../i18n/text.ts'
import { apiKey, chosenAgent, service } from '../../session.ts'
import type { Tool } from '../../types.ts'
import { carried, firstValues, remember, sessionAgent } from './carried.ts'
import { Exchange } from './exchange.tsx'
import { noteCall } from './history.tsx'
import { OrderBar } from './order-bar.tsx'
import { mcpRequest, restRequest, send, type Answer, type Request } from './requests.ts'
import type { Schema, Values } from './schema.ts'
import { SchemaForm } from './schema-form.tsx'

type Face = 'rest' | 'mcp'
const FACES: readonly Face[] = ['rest', 'mcp']

interface ToolTrialProps {
  readonly tool: Tool
  readonly given: Values
  onNext(tool: string, given: Values): void
}

export function ToolTrial({ tool, given, onNext }: ToolTrialProps) {
  const [first] = useState(() => firstValues(tool, carried.value))
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

/** The buttons, and what is to be known before they are pressed. */
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

/** Calls over the faces, and what they answered to the values as they are. */
function useCalls(name: string, values: Values, requestOf: (face: Face) => Request) {
  const [answers, setAnswers] = useState<Answers>({})
  const [busy, setBusy] = useState<readonly Face[]>([])
  // What answered an earlier form would be misleading beside this one.
  useEffect(() => { setAnswers({}) }, [values])

  async function sendOver(...faces: Face[]): Promise<void> {
    const free = faces.filter((face) => !busy.includes(face))
    setBusy((all) => [...all, ...free])
    const made = await Promise.all(free.map(async (face) => {
      const answer = await send(requestOf(face), sessionAgent())
      if (answer.data) remember(answer.data)
      setAnswers((all) => ({ ...all, [face]: answer }))
      setBusy((all) => all.filter((one) => one !== face))
      return answer
    }))
    if (made.length > 0) noteCall(name, values, made)
  }
  return { answers, busy, sendOver }
}

/** Where the form is longer than the window, the answers would come unseen. */
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

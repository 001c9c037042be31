/** Calls of this visit: a press brings one back into the form. */
import { effect, signal } from '@preact/signals'
import { t } from '../../i18n/text.ts'
import { session } from '../../session.ts'
import type { Answer } from './requests.ts'
import type { Values } from './schema.ts'

interface Made {
  readonly name: string
  readonly given: Values
  /** Of each face: its status, and the name of what was refused. */
  readonly outcomes: readonly string[]
  readonly isRefused: boolean
}

const KEPT = 12
const SHOWN_LENGTH = 60

const history = signal<readonly Made[]>([])
effect(() => { if (session.value === null) history.value = [] })

const same = (one: Made, other: Made): boolean =>
  one.name === other.name && JSON.stringify(one.given) === JSON.stringify(other.given)

/** The same call again takes the place of the one before. */
export function noteCall(name: string, given: Values, answers: readonly Answer[]): void {
  const made: Made = {
    name, given,
    isRefused: answers.some(({ error, status }) => error !== undefined || status === 0),
    outcomes: [...new Set(answers.map(({ status, error = '' }) => `${status} ${error}`.trim()))],
  }
  history.value = [made, ...history.value.filter((one) => !same(one, made))].slice(0, KEPT)
}

export function History({ onChoose }: { onChoose(tool: string, given: Values): void }) {
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

/** What tells one call from another: its plain values. */
const summaryOf = (given: Values): string => Object.entries(given)
  .filter(([name, value]) => typeof value !== 'object' && name !== 'idempotency_key')
  .map(([, value]) => String(value)).join(' · ').slice(0, SHOWN_LENGTH)

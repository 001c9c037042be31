/** A request and its answer. The key is shown short, and copied whole. */
import { t } from '../../i18n/text.ts'
import { Code } from '../../parts/code.tsx'
import { Copy } from '../../parts/copy.tsx'
import { apiKey, service } from '../../session.ts'
import { asCurl, asText, type Answer, type Request } from './requests.ts'

const SHOWN_OF_KEY = 8
const SUCCESS_BELOW = 300

interface ExchangeProps {
  readonly title: string
  readonly answer: Answer | undefined
  readonly isBusy: boolean
  requestOf(key: string): Request
}

export function Exchange({ title, answer, isBusy, requestOf }: ExchangeProps) {
  const key = apiKey.value
  const shown = key === '' ? '' : `${key.slice(0, SHOWN_OF_KEY)}…`
  const origin = service.value?.public_url ?? ''
  return (
    <section class="exchange" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <Copy text={asCurl(requestOf(key), origin)} what={title}
          label={t('try.copy_curl')} />
      </header>
      <Code title={t('try.request')} text={asText(requestOf(shown))}
        copied={asText(requestOf(key))} isJson isWrapped />
      <div role="status" aria-live="polite">
        {isBusy ? <p class="soft">{t('working')}</p>
          : answer ? <AnswerShown answer={answer} />
            : <p class="soft waiting">{t('try.waiting')}</p>}
      </div>
    </section>
  )
}

function AnswerShown({ answer: { status, ms, text } }: { readonly answer: Answer }) {
  if (status === 0) return <p class="warning-text">{t('error.offline')}</p>
  const mood = status < SUCCESS_BELOW ? 'good' : 'bad'
  return (
    <Code title={t('try.answer')} text={text} isJson>
      <span class={`status ${mood}`}>{status}</span>
      <span class="soft numbers">{ms} ms</span>
    </Code>
  )
}

/** A request and its answer. The key is shown short, and copied whole. */
import { t } from '../../i18n/text.ts'
import { Code } from '../../parts/code.tsx'
import { Copy } from '../../parts/copy.tsx'
import { service } from '../../session.ts'
import { copiedKey, shownKey } from './keys.ts'
import { asCurl, asText, type Answer, type Request } from './requests.ts'

interface ExchangeProps {
  readonly title: string
  readonly answer: Answer | undefined
  readonly isBusy: boolean
  requestOf(key: string): Request
}

export function Exchange({ title, answer, isBusy, requestOf }: ExchangeProps) {
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

import { useEffect, useState } from 'preact/hooks'
import { count } from '../format.ts'
import { t } from '../i18n/text.ts'
import { Icon } from './icon.tsx'

interface PagingProps {
  readonly page: number
  readonly pages: number
  onGo(page: number): void
}

/** To the page before and after, or to one by its number. */
export function Paging({ page, pages, onGo }: PagingProps) {
  const [text, setText] = useState(String(page))
  useEffect(() => setText(String(page)), [page])
  function jump(event: Event): void {
    event.preventDefault()
    const wanted = Math.min(Math.max(1, Math.trunc(Number(text)) || page), pages)
    setText(String(wanted))
    if (wanted !== page) onGo(wanted)
  }
  if (pages <= 1) return null
  return (
    <nav class="paging" aria-label={t('paging')}>
      <button type="button" class="button small" disabled={page === 1}
        onClick={() => onGo(page - 1)}><Icon name="left" />{t('paging.before')}</button>
      <form class="page-jump" onSubmit={jump}>
        <label>
          <span>{t('paging.page')}</span>
          <input inputMode="numeric" maxLength={5} value={text}
            onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <span class="soft numbers">{t('paging.of', { n: count(pages) })}</span>
      </form>
      <button type="button" class="button small" disabled={page === pages}
        onClick={() => onGo(page + 1)}>{t('paging.after')}<Icon name="right" /></button>
    </nav>
  )
}

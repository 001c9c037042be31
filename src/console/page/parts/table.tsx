/** Tables, their pages, and tabs. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { count } from '../format.ts'
import { t } from '../i18n/text.ts'
import { Icon } from './icon.tsx'

interface TableProps {
  readonly caption: string
  /** Without words: a column of buttons. */
  readonly head: readonly string[]
  /** On a phone two lines a row instead of a card; see the style sheet for the columns. */
  readonly isBrief?: boolean
  /** Columns of numbers, which stand at the right. */
  readonly numbers?: readonly number[]
  readonly rows: readonly { readonly key: string, readonly cells: readonly ComponentChildren[] }[]
}

/**
 * On a phone every row becomes a card, and each cell says what it is. The roles are those of the
 * elements: some browsers forget them where `display` makes blocks of a table.
 */
export const Table = ({ caption, head, isBrief = false, numbers = [], rows }: TableProps) => (
  <div class={isBrief ? 'table brief' : 'table'}>
    <table role="table">
      <caption class="hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">{head.map((name, at) => (
          <th key={name} role="columnheader" scope="col"
            class={numbers.includes(at) ? 'number' : undefined}>
            {name || <span class="hidden">{t('action')}</span>}</th>
        ))}</tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ key, cells }) => (
          <tr key={key} role="row">{cells.map((cell, at) => (
            <td key={head[at]} role="cell" data-label={head[at]}
              class={numbers.includes(at) ? 'number' : undefined}>
              {cell !== '' && <div>{cell}</div>}</td>
          ))}</tr>
        ))}
      </tbody>
    </table>
  </div>
)

interface PagingProps {
  readonly page: number
  readonly pages: number
  onGo(page: number): void
}

/** Links to the previous and the next page, and to one by its number. */
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

interface TabsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, label: string])[]
  onChange(value: NoInfer<T>): void
  readonly children?: ComponentChildren
}

/** Arrow keys change the tab, as in any tab list. */
export function Tabs<T extends string>(
  { label, value, options, onChange, children }: TabsProps<T>,
) {
  const id = useId()
  function step(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const at = options.findIndex(([name]) => name === value)
    const next = options.at((at + by) % options.length)?.[0]
    if (next === undefined) return
    onChange(next)
    requestAnimationFrame(() => document.getElementById(`${id}-${next}`)?.focus())
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
        {options.map(([name, text]) => (
          <button key={name} type="button" role="tab" id={`${id}-${name}`}
            aria-selected={name === value} aria-controls={`${id}-panel`}
            tabIndex={name === value ? 0 : -1} onClick={() => onChange(name)}>{text}</button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>{children}</div>
    </>
  )
}

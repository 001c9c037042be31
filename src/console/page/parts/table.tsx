import type { ComponentChildren } from 'preact'
import { t } from '../i18n/text.ts'

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

import type { ComponentChildren } from 'preact'
import { Copy } from './copy.tsx'

interface CodeProps {
  readonly title: string
  readonly text: string
  /** Copied instead of what is shown, such as with the key in clear. */
  readonly copied?: string
  readonly isJson?: boolean
  readonly children?: ComponentChildren
}

/** A block of code with its name and a button that copies it. */
export function Code({ title, text, copied = text, isJson = false, children }: CodeProps) {
  return (
    <figure class="code">
      <figcaption>
        <span>{title}</span>
        {children}
        <Copy text={copied} what={title} />
      </figcaption>
      <pre tabIndex={0} role="region" aria-label={title}>
        <code>{isJson ? coloured(text) : text}</code>
      </pre>
    </figure>
  )
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?/g
/** More would take longer to colour than anybody wants to wait. */
const COLOURED_MAX = 40_000

function coloured(text: string): ComponentChildren {
  if (text.length > COLOURED_MAX) return text
  const parts: ComponentChildren[] = []
  let at = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, word, colon] = match
    const start = match.index
    const body = word ?? whole
    const kind = word === undefined ? 'number' : colon === undefined ? 'string' : 'name'
    parts.push(text.slice(at, start), <span class={`token-${kind}`}>{body}</span>)
    at = start + body.length
  }
  return [...parts, text.slice(at)]
}

import type { ComponentChildren } from 'preact'
import { Copy } from './copy.tsx'

interface CodeProps {
  readonly title: string
  readonly text: string
  /** Copied instead of what is shown, such as with the key in clear. */
  readonly copied?: string
  readonly isJson?: boolean
  /** Long lines are broken instead of scrolled. */
  readonly isWrapped?: boolean
  readonly children?: ComponentChildren
}

/** A block of code with its name and a button that copies it. */
export function Code(props: CodeProps) {
  const { title, text, copied = text, isJson = false, isWrapped = false, children } = props
  return (
    <figure class={isWrapped ? 'code wraps' : 'code'}>
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
  // The head of a request is no JSON.
  const start = Math.max(0, /^[[{]/m.exec(text)?.index ?? text.length)
  let at = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index < start) continue
    const [whole, word, colon] = match
    const body = word ?? whole
    const kind = word === undefined ? 'number' : colon === undefined ? 'string' : 'name'
    parts.push(text.slice(at, match.index), <span class={`token-${kind}`}>{body}</span>)
    at = match.index + body.length
  }
  return [...parts, text.slice(at)]
}

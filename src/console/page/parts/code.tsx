import type { ComponentChildren } from 'preact'
import { Copy } from './copy.tsx'

interface CodeProps {
  readonly title: string
  readonly text: string
  /** Copied instead of what is shown, such as with the key in clear. */
  readonly copied?: string
  readonly isJson?: boolean
  /** What it belongs to where a page has several of the title. */
  readonly of?: string
  /** Values that are addresses of this origin become links: others are somebody else's word. */
  readonly linksTo?: string | undefined
  readonly children?: ComponentChildren
}

/** A block of code with its name and a button that copies it. */
export function Code(props: CodeProps) {
  const { title, text, copied = text, isJson = false, of, linksTo, children } = props
  const name = of === undefined ? title : `${of}: ${title}`
  return (
    <figure class={of === undefined ? 'code' : 'code wraps'}>
      <figcaption>
        <span>{title}</span>
        {children}
        <Copy text={copied} what={name} />
      </figcaption>
      <pre tabIndex={0} role="region" aria-label={name}>
        <code>{isJson ? coloured(text, linksTo) : text}</code>
      </pre>
    </figure>
  )
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?/g
/** More would take longer to colour than anybody wants to wait. */
const COLOURED_MAX = 40_000

function coloured(text: string, linksTo: string | undefined): ComponentChildren {
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
    parts.push(text.slice(at, match.index), 
      <span class={`token-${kind}`}>{kind === 'string' ? linked(body, linksTo) : body}</span>)
    at = match.index + body.length
  }
  return [...parts, text.slice(at)]
}

function linked(literal: string, origin: string | undefined): ComponentChildren {
  if (origin === undefined || !literal.startsWith(`"${origin}/`)) return literal
  const address = JSON.parse(literal) as string
  return <>"<a href={address} target="_blank" rel="noopener noreferrer">{address}</a>"</>
}

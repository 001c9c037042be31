/** Blocks of code and buttons that copy text. */
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../i18n/text.ts'
import { Icon } from './icon.tsx'

interface CodeProps {
  readonly title: string
  readonly text: string
  /** Copied instead of what is shown, such as with the key in clear. */
  readonly copied?: string
  readonly isJson?: boolean
  /** Its owner, where a page has several blocks of the title. */
  readonly of?: string
  /** Values that are addresses of this origin become links; other origins are not trusted. */
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
/** Colouring more text would take too long. */
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

const SHOWN_MS = 1800

/** Works without https, too, where a page has no clipboard. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return await navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'hidden'
  const parent = document.querySelector('dialog[open]') ?? document.body
  parent.append(area)
  const before = document.activeElement
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isDone) throw new Error('The browser does not let the page copy.')
}

interface CopyProps {
  readonly text: string
  /** Names the copied text for screen readers. */
  readonly what: string
  readonly isWide?: boolean
  /** On the button, instead of the word for copying. */
  readonly label?: string
  /** The element with the same text, selected where the browser refuses to copy. */
  readonly shown?: RefObject<HTMLElement | null>
}

export function Copy({ text, what, isWide = false, label = t('copy'), shown }: CopyProps) {
  const [outcome, setOutcome] = useState<'done' | 'failed'>()
  useEffect(() => {
    if (outcome !== 'done') return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  async function press(): Promise<void> {
    try {
      await copyText(text)
      setOutcome('done')
    } catch {
      if (shown?.current) getSelection()?.selectAllChildren(shown.current)
      setOutcome('failed')
    }
  }
  const word = outcome === 'done' ? t('copied') : outcome === 'failed' ? t('copy.failed') : label
  return (
    <>
      <button type="button" class={isWide ? 'button' : 'button small quiet'}
        aria-label={`${word}: ${what}`} onClick={() => void press()}>
        <Icon name={outcome === 'done' ? 'check' : outcome === 'failed' ? 'warning' : 'copy'} />
        <span>{word}</span>
      </button>
      <span class="hidden" role="status">{outcome && word}</span>
      {shown && outcome === 'failed'
        && <p class="warning-text" role="alert">{t('copy.selected')}</p>}
    </>
  )
}

import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../i18n/text.ts'
import { Icon } from './icon.tsx'

const SHOWN_MS = 1800

/** Works also where the page was not opened over https and has no clipboard of its own. */
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
  /** What is copied, for those who hear the page. */
  readonly what: string
  readonly isWide?: boolean
  /** On the button, instead of the word for copying. */
  readonly label?: string
  /** Where the same text stands, to be selected where the browser does not let the page copy. */
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

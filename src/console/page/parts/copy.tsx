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
  area.select()
  document.execCommand('copy')
  area.remove()
}

interface CopyProps {
  readonly text: string
  /** What is copied, for those who hear the page. */
  readonly what: string
  readonly isWide?: boolean
  /** On the button, instead of the word for copying. */
  readonly label?: string
}

export function Copy({ text, what, isWide = false, label = t('copy') }: CopyProps) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(() => setDone(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isDone])
  return (
    <button type="button" class={isWide ? 'button' : 'button small quiet'}
      aria-label={`${label}: ${what}`}
      onClick={() => void copyText(text).then(() => setDone(true), () => {})}>
      <Icon name={isDone ? 'check' : 'copy'} />
      <span>{isDone ? t('copied') : label}</span>
      <span class="hidden" role="status">{isDone ? t('copied') : ''}</span>
    </button>
  )
}

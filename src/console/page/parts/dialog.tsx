import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../i18n/text.ts'
import { Icon } from './icon.tsx'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  onClose(): void
}

/** The browser keeps the keyboard inside and closes at Esc. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const opener = document.activeElement
    const element = dialog.current
    element?.showModal()
    const first = element?.querySelector<HTMLElement>('[data-first], input, select')
    first?.focus()
    // What is typed then takes the place of what is proposed.
    if (first instanceof HTMLInputElement) first.select()
    return () => {
      element?.close()
      if (opener instanceof HTMLElement && opener !== document.body) returnFocus(opener)
    }
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => { if (event.target === dialog.current) onClose() }}>
      <div class="dialog">
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" class="button quiet icon-only" aria-label={t('close')}
            onClick={onClose}><Icon name="close" /></button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** To where it was; to the page's heading once that is gone, as after a deletion. */
function returnFocus(opener: HTMLElement): void {
  // What was done in the dialog may take the opener away only when the page has read anew.
  const watch = new MutationObserver(look)
  function look(): void {
    if (document.activeElement === opener) return
    watch.disconnect()
    if (document.activeElement === document.body) document.querySelector('h1')?.focus()
  }
  opener.focus()
  watch.observe(document.body, { childList: true, subtree: true })
  look()
}

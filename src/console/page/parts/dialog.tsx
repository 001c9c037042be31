import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../i18n/text.ts'
import { Icon } from './icon.tsx'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  onClose(): void
}

/** The browser keeps the keyboard inside and closes at Esc; focus returns to where it was. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const opener = document.activeElement
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-first], input, select')?.focus()
    return () => {
      element?.close()
      if (opener instanceof HTMLElement) opener.focus()
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

/** A key or a signing secret, which is shown once, and a notice until it is saved. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../i18n/text.ts'
import { forgetUnsaved, isKeyOnScreen, session } from '../session.ts'
import { Copy } from './code.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'

interface SecretDialogProps {
  readonly title: string
  /** Names it for screen readers. */
  readonly what: string
  readonly secret: string
  readonly testId: string
  readonly children?: ComponentChildren
  onSaved(): void
  onClose(): void
}

export function SecretDialog(props: SecretDialogProps) {
  const { title, what, secret, testId, children, onSaved, onClose } = props
  const text = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    isKeyOnScreen.value = true
    return () => {
      isKeyOnScreen.value = false
      // The next session may be another person's.
      if (session.value === null) forgetUnsaved()
    }
  }, [])
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="warning-text"><Icon name="warning" /> {t('key.once')}</p>
      <div class="secret">
        <code data-testid={testId} ref={text}>{secret}</code>
        <Copy text={secret} what={what} isWide shown={text} />
      </div>
      {children}
      <p class="soft">{t('key.memory')}</p>
      <div class="actions">
        <button type="button" class="button primary" data-first onClick={onSaved}>
          {t('key.saved')}</button>
      </div>
    </Dialog>
  )
}

interface UnsavedProps {
  readonly text: string
  /** The dialog that shows it again. */
  children(close: () => void): ComponentChildren
}

/** A notice after the dialog was closed without the confirmation. */
export function Unsaved({ text, children }: UnsavedProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="notice">
      <Icon name="key" />
      <div>
        <p>{text}</p>
        <button type="button" class="button small" onClick={() => setOpen(true)}>
          {t('key.show')}</button>
        {isOpen && children(() => setOpen(false))}
      </div>
    </div>
  )
}

/** A key that is shown this once, until its owner says that it is saved. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../i18n/text.ts'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { isKeyOnScreen, newKey, session } from '../../session.ts'

export function KeyShown({ onClose }: { onClose(): void }) {
  // Kept while the dialog closes.
  const [shown] = useState(newKey.value)
  const text = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    isKeyOnScreen.value = shown !== undefined
    return () => {
      isKeyOnScreen.value = false
      // Whoever signs in next may be somebody else.
      if (session.value === null) newKey.value = undefined
    }
  }, [])
  if (!shown) return null
  return (
    <Dialog title={t('key.title', { name: shown.label })} onClose={onClose}>
      <p class="warning-text"><Icon name="warning" /> {t('key.once')}</p>
      <div class="secret">
        <code data-testid="new-key" ref={text}>{shown.key}</code>
        <Copy text={shown.key} what={t('key')} isWide shown={text} />
      </div>
      <p class="soft">{t('key.memory')}</p>
      <div class="actions">
        <button type="button" class="button primary" data-first onClick={() => {
          newKey.value = undefined
          onClose()
        }}>{t('key.saved')}</button>
      </div>
    </Dialog>
  )
}

/** Shown where a dialog was closed without the word that the key is saved. */
export function UnsavedKey() {
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="notice">
      <Icon name="key" />
      <div>
        <p>{t('key.unsaved', { name: newKey.value?.label ?? '' })}</p>
        <button type="button" class="button small" onClick={() => setOpen(true)}>
          {t('key.show')}</button>
        {isOpen && <KeyShown onClose={() => setOpen(false)} />}
      </div>
    </div>
  )
}

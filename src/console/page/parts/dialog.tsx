/** Dialogs, and one that asks for confirmation. */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { type Problem, useAction } from '../api.ts'
import { t } from '../i18n/text.ts'
import { Form } from './form.tsx'
import { Icon } from './icon.tsx'
import type { ErrorTexts } from './notice.tsx'

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
    // Typing then replaces the proposed text.
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

/** To the opener; to the page's heading once the opener is gone, as after a deletion. */
function returnFocus(opener: HTMLElement): void {
  // The opener may go only later, when the page has loaded again.
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

interface ConfirmProps {
  readonly title: string
  readonly submit: string
  readonly children: ComponentChildren | ((problem: Problem | undefined) => ComponentChildren)
  /** These three as of a Form. */
  readonly fields?: readonly string[]
  readonly texts?: ErrorTexts
  check?(): boolean
  work(): Promise<unknown>
  onDone(): void
  onClose(): void
}

/** Asks before an action that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, submit, children, fields = [], texts = {}, work, onDone, onClose } = props
  const { check = () => true } = props
  const action = useAction(work)
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} submit={submit} isDanger fields={fields} texts={texts}
        check={check} onDone={onDone} onCancel={onClose}>
        {typeof children === 'function' ? children(action.problem) : children}
      </Form>
    </Dialog>
  )
}

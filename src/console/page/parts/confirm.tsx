import type { ComponentChildren } from 'preact'
import type { Problem } from '../api.ts'
import { useAction } from '../use-load.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import type { ErrorTexts } from './notice.tsx'

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

/** Asks before something that cannot be taken back. */
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

import type { ComponentChildren } from 'preact'
import { useAction } from '../use-load.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'

interface ConfirmProps {
  readonly title: string
  readonly submit: string
  readonly children: ComponentChildren
  work(): Promise<unknown>
  onDone(): void
  onClose(): void
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, submit, children, work, onDone, onClose }: ConfirmProps) {
  const action = useAction(work)
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} submit={submit} isDanger onDone={onDone} onCancel={onClose}>
        {children}
      </Form>
    </Dialog>
  )
}

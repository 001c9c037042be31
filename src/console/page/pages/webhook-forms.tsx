/** Dialogs that create and change a webhook, rotate its secret, and show the secret once. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { call, useAction, useLoad } from '../api.ts'
import { moment } from '../format.ts'
import { t, term } from '../i18n/text.ts'
import { Confirm, Dialog } from '../parts/dialog.tsx'
import { Choice, Form, problemOf, TextField } from '../parts/form.tsx'
import { SecretDialog, Unsaved } from '../parts/secret.tsx'
import { newSecret, service } from '../session.ts'
import type { Agent, CreatedHook, Hook, RotatedSecret } from '../types.ts'

export const HOOKS_MAX = 10
const URL_LENGTH_MAX = 2048
const ALL = ['*']

interface FormProps {
  /** What is changed; a new one without it. */
  readonly hook?: Hook
  onDone(): void
  onClose(): void
}

/** Asks for address, events and agents; of a new one it then shows the secret. */
export function WebhookForm({ hook, onDone, onClose }: FormProps) {
  const [url, setUrl] = useState(hook?.url ?? '')
  const [events, setEvents] = useState<readonly string[]>(hook?.events ?? ALL)
  const [agents, setAgents] = useState<readonly string[]>(hook?.agents ?? [])
  const [isChecked, setChecked] = useState(false)
  const [isMade, setMade] = useState(false)
  const known = useLoad(() => call<{ agents: Agent[] }>('GET', '/agents'))
  const others = known.data?.agents ?? []
  const fields = {
    url: url.trim(), events,
    // The events of one that an agent's key made are that agent's.
    ...(hook?.agent === undefined && {
      agents: agents.filter((agent) => others.some((one) => one.agent === agent)),
    }),
  }
  const action = useAction(async () => {
    if (hook) {
      await call('PATCH', `/webhooks/${hook.webhook_id}`, fields)
      return
    }
    const { webhook_id: webhook, secret } = await call<CreatedHook>('POST', '/webhooks', fields)
    newSecret.value = { webhook, url: fields.url, secret }
  })
  if (isMade) return <SecretShown onClose={onClose} />
  return (
    <Dialog title={t(hook ? 'webhooks.edit' : 'webhooks.create')} onClose={onClose}>
      <Form action={action} submit={t(hook ? 'save' : 'webhooks.create.submit')}
        fields={['url', 'events']} texts={{ webhook_limit: t('webhooks.full', { n: HOOKS_MAX }) }}
        check={() => {
          setChecked(true)
          return known.data !== undefined && url.trim() !== '' && events.length > 0
        }}
        onDone={() => {
          onDone()
          if (hook) onClose()
          else setMade(true)
        }} onCancel={onClose}>
        <TextField label={t('webhooks.url')} value={url} maxLength={URL_LENGTH_MAX}
          placeholder="https://" onChange={setUrl} hint={t('webhooks.url.hint')}
          problem={(isChecked && url.trim() === '' && t('missing'))
            || problemOf(action.problem, 'url')} />
        <EventsField chosen={events} onChange={setEvents}
          problem={(isChecked && events.length === 0 && t('webhooks.events.none'))
            || problemOf(action.problem, 'events')} />
        {hook?.agent === undefined && others.length > 0 && (
          <AgentsField agents={others} chosen={agents} onChange={setAgents} />
        )}
      </Form>
    </Dialog>
  )
}

interface ChosenProps {
  readonly chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

const toggled = (all: readonly string[], one: string): string[] =>
  (all.includes(one) ? all.filter((other) => other !== one) : [...all, one])

interface CheckProps extends ChosenProps {
  readonly name: string
  readonly text: ComponentChildren
}

const Check = ({ name, text, chosen, onChange }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={chosen.includes(name)}
      onChange={() => onChange(toggled(chosen, name))} />
    <span>{text}</span>
  </label>
)

/** Names of events by what stands before their dot. */
function families(): [family: string, names: string[]][] {
  const found = new Map<string, string[]>()
  for (const name of service.value?.events ?? []) {
    const [family = ''] = name.split('.')
    found.set(family, [...found.get(family) ?? [], name])
  }
  return [...found]
}

/** All events, or families of them, or single ones. */
function EventsField(
  { chosen, onChange, problem }: ChosenProps & { readonly problem: string | false | undefined },
) {
  const isAll = chosen.includes('*')
  return (
    <fieldset class="event-choice">
      <legend>{t('webhooks.events')}</legend>
      <Choice label={t('webhooks.events')} value={isAll ? 'all' : 'some'}
        onChange={(next) => onChange(next === 'all' ? ALL : [])} options={[
          ['all', t('webhooks.events.all')], ['some', t('webhooks.events.some')],
        ]} />
      {problem && <p class="field-problem">{problem}</p>}
      {!isAll && families().map(([family, names]) => (
        <Family key={family} {...{ family, names, chosen, onChange }} />
      ))}
    </fieldset>
  )
}

interface FamilyProps extends ChosenProps {
  readonly family: string
  readonly names: readonly string[]
}

function Family({ family, names, chosen, onChange }: FamilyProps) {
  const whole = `${family}.*`
  const [wasOpen] = useState(names.some((name) => chosen.includes(name)))
  return (
    <div>
      <Check name={whole} chosen={chosen} text={<>{term('family', family)} <code>{whole}</code></>}
        onChange={(next) => onChange(next.filter((name) => !names.includes(name)))} />
      {names.length > 1 && !chosen.includes(whole) && (
        <details open={wasOpen}>
          <summary>{t('webhooks.events.single', { n: names.length })}</summary>
          <div class="checks">
            {names.map((name) => (
              <Check key={name} {...{ name, chosen, onChange }} text={<code>{name}</code>} />
            ))}
          </div>
        </details>
      )}
    </div>
  )
}

const AgentsField = (
  { agents, chosen, onChange }: ChosenProps & { readonly agents: readonly Agent[] },
) => (
  <fieldset>
    <legend>{t('webhooks.agents')}</legend>
    <p class="field-hint">{t('webhooks.agents.hint')}</p>
    <div class="checks">
      {agents.map(({ agent, label }) => (
        <Check key={agent} name={agent} text={label} {...{ chosen, onChange }} />
      ))}
    </div>
  </fieldset>
)

/** Shows a signing secret, once, until the owner confirms that it is saved. */
export function SecretShown({ onClose }: { onClose(): void }) {
  // The dialog keeps it while it closes.
  const [shown] = useState(newSecret.value)
  if (!shown) return null
  return (
    <SecretDialog title={t('webhooks.secret.title')} what={t('webhooks.secret')}
      secret={shown.secret} testId="new-secret" onClose={onClose} onSaved={() => {
        newSecret.value = undefined
        onClose()
      }}>
      <p>{t('webhooks.secret.use')} <code>{shown.url}</code></p>
      {shown.oldEndsAt !== undefined
        && <p>{t('webhooks.secret.both', { time: moment(shown.oldEndsAt) })}</p>}
    </SecretDialog>
  )
}

export const UnsavedSecret = () => (
  <Unsaved text={t('webhooks.secret.unsaved', { url: newSecret.value?.url ?? '' })}>
    {(close) => <SecretShown onClose={close} />}
  </Unsaved>
)

interface RotateProps {
  readonly hook: Hook
  onDone(): void
  onClose(): void
}

/** Creates a secret; the present one signs beside it for a day. */
export const RotateSecret = ({ hook: { webhook_id: webhook, url }, ...rest }: RotateProps) => (
  <Confirm title={t('webhooks.rotate.sure')} submit={t('webhooks.rotate')} {...rest}
    work={async () => {
      const { secret, old_secret_ends_at: oldEndsAt } =
        await call<RotatedSecret>('POST', `/webhooks/${webhook}/secret`)
      newSecret.value = { webhook, url, secret, oldEndsAt }
    }}>
    <p>{t('webhooks.rotate.lead')}</p>
  </Confirm>
)

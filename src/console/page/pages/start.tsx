/** The Start page: a key, ways to connect, and a form that tries each tool. */
import { useEffect, useState } from 'preact/hooks'
import { call, useAction, useLoad } from '../api.ts'
import { t } from '../i18n/text.ts'
import { Code } from '../parts/code.tsx'
import { Choice, SelectField, TextField } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { ProblemNotice, Show } from '../parts/notice.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Tabs } from '../parts/table.tsx'
import { language } from '../preferences.ts'
import { apiKey, chosenAgent, copiedKey, newKey, pastedKey, service, shownKey } from '../session.ts'
import type { Agent } from '../types.ts'
import {
  AGENTS_MAX, createAgent, CreateAgent, KeyShown, Rotate, UnsavedKey,
} from './agent-keys.tsx'
import { TryIt } from './try-tools.tsx'

export function StartPage() {
  return (
    <Page title={t('start.title')} lead={t('start.lead')}>
      <Section title={t('start.key')} lead={t('start.key.lead')}><YourAgent /></Section>
      <Section title={t('start.ways')} lead={t('start.ways.lead')}><Ways /></Section>
      <Section title={t('try.title')} lead={t('try.lead')}><TryIt /></Section>
    </Page>
  )
}

function YourAgent() {
  const agents = useLoad(() => call<{ agents: Agent[] }>('GET', '/agents'))
  const list = agents.data?.agents
  useEffect(() => {
    if (!list || list.some(({ agent }) => agent === chosenAgent.value)) return
    chosenAgent.value = list[0]?.agent
  }, [list])
  // Outside of the list: it opens before the new agent is read, and closes without waiting for it.
  const [isFirstKeyShown, setFirstKeyShown] = useState(false)
  return (
    <div class="card key">
      <Show from={agents}>
        {({ agents: known }) => (known.length === 0
          ? <First onMade={() => setFirstKeyShown(true)} onChange={agents.reload} />
          : <Chosen agents={known} onChange={agents.reload} isFirstKeyShown={isFirstKeyShown} />)}
      </Show>
      {isFirstKeyShown && <KeyShown onClose={() => setFirstKeyShown(false)} />}
      <OtherKey />
    </div>
  )
}

interface FirstProps {
  onMade(): void
  onChange(): Promise<void>
}

/** One button creates the first agent and its key. */
function First({ onMade, onChange }: FirstProps) {
  // Busy until the agent is listed: a second press would create another.
  const action = useAction(async () => {
    await createAgent(t('agents.first'))
    onMade()
    await onChange()
  })
  return (
    <>
      <p>{t('start.first')}</p>
      <p class="actions">
        <button type="button" class="button primary" aria-disabled={action.isBusy}
          onClick={() => void action.run()}>
          {action.isBusy ? t('working') : t('key.create')}</button>
      </p>
      <ProblemNotice problem={action.problem} />
    </>
  )
}

interface ChosenProps {
  readonly agents: readonly Agent[]
  readonly isFirstKeyShown: boolean
  onChange(): Promise<void>
}

function Chosen({ agents, isFirstKeyShown, onChange }: ChosenProps) {
  const [open, setOpen] = useState<'create' | 'rotate' | 'rotated'>()
  const close = (): void => setOpen(undefined)
  const chosen = agents.find(({ agent }) => agent === chosenAgent.value) ?? agents[0] as Agent
  const isFull = agents.length >= AGENTS_MAX
  return (
    <>
      <div class="key-row">
        <SelectField label={t('start.agent')} value={chosen.agent}
          onChange={(agent) => {
            chosenAgent.value = agent
            pastedKey.value = ''
          }}
          options={agents.map(({ agent, label }) => [agent, label] as const)} />
        <div class="actions">
          <button type="button" class="button" onClick={() => setOpen('rotate')}>
            {t('key.another')}</button>
          {!isFull && <button type="button" class="button" onClick={() => setOpen('create')}>
            {t('agents.new')}</button>}
          <a class="button" href="/console/agents">{t('key.manage')}</a>
        </div>
      </div>
      <p class="field-hint">{pastedKey.value !== '' ? t('start.pasted')
        : apiKey.value !== '' ? t('start.with_key', { name: chosen.label })
          : t('start.with_session', { name: chosen.label })}</p>
      {newKey.value && open === undefined && !isFirstKeyShown && <UnsavedKey />}
      {open === 'create' && (
        <CreateAgent taken={agents.map(({ label }) => label)} onDone={onChange} onClose={close} />
      )}
      {open === 'rotate' && (
        <Rotate agent={chosen} onDone={() => setOpen('rotated')} onClose={close} />
      )}
      {open === 'rotated' && <KeyShown onClose={close} />}
    </>
  )
}

/** A field for a key of one's own. No password field, which browsers would fill in. */
const OtherKey = () => (
  <details>
    <summary>{t('key.other')}</summary>
    <TextField label={t('key.yours')} isMasked value={pastedKey.value} placeholder="ak_…"
      hint={t('key.memory')} isOptional
      onChange={(value) => { pastedKey.value = value.trim() }} />
  </details>
)

function Ways() {
  const [way, setWay] = useState<keyof typeof WAYS>('mcp')
  const Way = WAYS[way]
  return (
    <div class="card">
      <Tabs label={t('start.ways')} value={way} onChange={setWay} options={[
        ['mcp', 'MCP'], ['rest', 'REST'], ['plugin', t('way.plugin')], ['ucp', 'UCP'],
      ]}>
        <Way />
      </Tabs>
      <p class="links"><span>{t('way.events')} <a href="/console/webhooks">
        {t('page.webhooks')}</a></span></p>
    </div>
  )
}

const addressOf = (path: string): string => (service.value?.public_url ?? '') + path

function Mcp() {
  const { hosts = [], key_variable: variable = '' } = service.value ?? {}
  const [name, setName] = useState(hosts[0]?.name ?? '')
  const host = hosts.find((one) => one.name === name)
  const setKey = (key: string): string => `export ${variable}='${key}'`
  return (
    <>
      <p>{t('way.mcp.lead')}</p>
      <Code title={t('way.mcp.address')} text={addressOf('/mcp')} />
      <Choice label={t('way.mcp.host')} value={name} onChange={setName}
        options={hosts.map((one) => [one.name, one.name] as const)} />
      {host?.text.includes(variable) && (
        <Code title={t('way.mcp.key')} text={setKey(shownKey())} copied={setKey(copiedKey())} />
      )}
      {host && (
        <Code title={host.language === 'sh' ? t('way.shell') : host.file} text={host.text}
          isJson={host.language === 'json'} />
      )}
    </>
  )
}

const curl = (key: string): string =>
  `curl -G ${addressOf('/v1/goods')} \\\n  -H 'Authorization: Bearer ${key}' \\\n`
  + `  --data-urlencode 'q=电热水壶' -d page_size=3`

const Rest = () => (
  <>
    <p>{t('way.rest.lead')}</p>
    <Code title={t('way.rest.address')} text={addressOf('/v1')} />
    <Code title={t('way.shell')} text={curl(shownKey())} copied={curl(copiedKey())} />
    <p class="links">
      <a href={`/docs?lang=${language.value}`} target="_blank" rel="noopener">
        {t('docs')}<Icon name="external" /></a>
      <a href="/openapi.json" target="_blank" rel="noopener">OpenAPI 3.1<Icon name="external" /></a>
    </p>
  </>
)

const Plugin = () => (
  <>
    <p>{t('way.plugin.lead')}</p>
    <p class="actions">
      <a class="button primary" href="/plugin/agentmall.zip" download>
        <Icon name="download" />{t('way.plugin.download')}</a>
      <a class="button" href={`/plugin?lang=${language.value}`} target="_blank" rel="noopener">
        {t('way.plugin.read')}<Icon name="external" /></a>
    </p>
    <Code title={t('way.plugin.address')} text={addressOf('/plugin/agentmall.zip')} />
  </>
)

const profileCurl = (): string => `curl ${addressOf('/.well-known/ucp')}`

const Ucp = () => (
  <>
    <p>{t('way.ucp.lead')}</p>
    <Code title={t('way.ucp.profile')} text={addressOf('/.well-known/ucp')} />
    <Code title={t('way.rest.address')} text={addressOf('/ucp')} />
    <Code title={t('way.mcp.address')} text={addressOf('/ucp/mcp')} />
    <Code title={t('way.shell')} text={profileCurl()} />
  </>
)

const WAYS = { mcp: Mcp, rest: Rest, plugin: Plugin, ucp: Ucp } as const

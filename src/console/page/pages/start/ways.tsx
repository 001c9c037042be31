import { useState } from 'preact/hooks'
import { t } from '../../i18n/text.ts'
import { Choice } from '../../parts/choice.tsx'
import { Code } from '../../parts/code.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { language } from '../../preferences.ts'
import { service } from '../../session.ts'
import { copiedKey, shownKey } from './keys.ts'

export function Ways() {
  const [way, setWay] = useState<'mcp' | 'rest' | 'plugin'>('mcp')
  return (
    <div class="card">
      <Tabs label={t('start.ways')} value={way} onChange={setWay} options={[
        ['mcp', 'MCP'], ['rest', 'REST'], ['plugin', t('way.plugin')],
      ]}>
        {way === 'mcp' ? <Mcp /> : way === 'rest' ? <Rest /> : <Plugin />}
      </Tabs>
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

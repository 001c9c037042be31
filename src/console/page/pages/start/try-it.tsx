import { useEffect, useState } from 'preact/hooks'
import { t } from '../../i18n/text.ts'
import { Field } from '../../parts/field.tsx'
import { apiKey, service } from '../../session.ts'
import type { Tool } from '../../types.ts'
import { Exchange } from './exchange.tsx'
import { mcpRequest, restRequest, send, type Answer, type Request } from './requests.ts'
import { firstValues, type Schema, type Values } from './schema.ts'
import { SchemaForm } from './schema-form.tsx'

export function TryIt() {
  const tools = service.value?.tools ?? []
  const [name, setName] = useState(tools[0]?.name)
  const tool = tools.find((one) => one.name === name)
  if (!tool) return null
  return (
    <div class="card try">
      <Field label={t('try.tool')}>
        {(attributes) => (
          <select {...attributes} value={name}
            onChange={(event) => setName(event.currentTarget.value)}>
            {tools.map((one) => (
              <option key={one.name} value={one.name} lang="en">{one.name} – {one.title}</option>
            ))}
          </select>
        )}
      </Field>
      <ToolTrial key={tool.name} tool={tool} />
    </div>
  )
}

type Face = 'rest' | 'mcp'

function ToolTrial({ tool }: { readonly tool: Tool }) {
  const [values, setValues] = useState<Values>(() => firstValues(tool.example))
  const [answers, setAnswers] = useState<Partial<Record<Face, Answer>>>({})
  const [busy, setBusy] = useState<readonly Face[]>([])
  const requestOf = (face: Face, key = apiKey.value): Request =>
    (face === 'rest' ? restRequest : mcpRequest)(tool, values, key)
  // What answered an earlier form would be misleading beside this one.
  useEffect(() => { setAnswers({}) }, [values])

  async function sendOver(...faces: Face[]): Promise<void> {
    const free = faces.filter((face) => !busy.includes(face))
    setBusy((all) => [...all, ...free])
    await Promise.all(free.map(async (face) => {
      const answer = await send(requestOf(face))
      setAnswers((all) => ({ ...all, [face]: answer }))
      setBusy((all) => all.filter((one) => one !== face))
    }))
  }

  const needsKey = tool.access === 'key' && apiKey.value === ''
  const isTwiceHarmless = tool.effect === 'read' || 'idempotency_key' in values
  return (
    <>
      <p class="soft" lang="en">{tool.description}</p>
      <div class="try-columns">
        <form class="try-form" noValidate onSubmit={(event) => {
          event.preventDefault()
          void (isTwiceHarmless ? sendOver('rest', 'mcp') : sendOver('rest'))
        }}>
          <SchemaForm schema={tool.input as Schema} values={values} onChange={setValues} />
          {needsKey && <p class="warning-text">{t('try.needs_key')}</p>}
          <div class="actions">
            <button type="submit" class="button primary">
              {isTwiceHarmless ? t('try.send_both') : t('try.send_rest')}</button>
            {!isTwiceHarmless && (
              <button type="button" class="button" onClick={() => void sendOver('mcp')}>
                {t('try.send_mcp')}</button>
            )}
          </div>
          {tool.effect !== 'read' && <p class="field-hint">
            {t(isTwiceHarmless ? 'try.once' : 'try.twice')}</p>}
        </form>
        <div class="try-answers">
          <Exchange title="REST" requestOf={(key) => requestOf('rest', key)}
            answer={answers.rest} isBusy={busy.includes('rest')} />
          <Exchange title="MCP" requestOf={(key) => requestOf('mcp', key)}
            answer={answers.mcp} isBusy={busy.includes('mcp')} />
        </div>
      </div>
    </>
  )
}

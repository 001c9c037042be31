import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { t } from '../../i18n/text.ts'
import { zhTools } from '../../i18n/zh-tools.ts'
import { Field } from '../../parts/field.tsx'
import { language } from '../../preferences.ts'
import { apiKey, chosenAgent, service } from '../../session.ts'
import type { OrderPage, Tool } from '../../types.ts'
import { carried, rememberOrder, signedFor } from './carried.ts'
import { History } from './history.tsx'
import type { Values } from './schema.ts'
import { ToolTrial } from './tool-trial.tsx'

interface Choice {
  readonly name: string
  /** What an answer suggested for its fields. */
  readonly given: Values
  /** Another one for each choice: the form begins anew, also for the tool that it shows. */
  readonly turn: number
}

export function TryIt() {
  const tools = service.value?.tools ?? []
  const [{ name, given, turn }, setChoice] = useState<Choice>(
    { name: tools[0]?.name ?? '', given: {}, turn: 0 })
  const choose = (next: string, values: Values = {}): void =>
    setChoice((before) => ({ name: next, given: values, turn: before.turn + 1 }))
  useLastOrder()
  const at = tools.findIndex((one) => one.name === name)
  const tool = tools[at]
  if (!tool) return null
  const after = tools[(at + 1) % tools.length] as Tool
  return (
    <div class="card try">
      <div class="try-tool">
        <Field label={t('try.tool')}>
          {(attributes) => (
            <select {...attributes} value={name}
              onChange={(event) => choose(event.currentTarget.value)}>
              {GROUPS.map(([group, isIn]) => (
                <optgroup key={group} label={t(group)}>
                  {tools.filter(isIn).map((one) => (
                    <option key={one.name} value={one.name}>{one.name} – {titleOf(one)}</option>
                  ))}
                </optgroup>
              ))}
            </select>
          )}
        </Field>
        <button type="button" class="button" onClick={() => choose(after.name)}>
          {t('try.next')}</button>
      </div>
      <p class="soft" lang={language.value === 'en' ? undefined : 'en'}>{tool.description}</p>
      <History onChoose={choose} />
      <ToolTrial key={`${turn} ${signedFor()}`} tool={tool} given={given} onNext={choose} />
    </div>
  )
}

/** The API has an English one. */
const titleOf = ({ name, title }: Tool): string =>
  (language.value === 'zh' ? zhTools[name] ?? title : title)

const isOfMalls = ({ name }: Tool): boolean => /^(cps|shelf)_/.test(name)
const GROUPS = [
  ['try.own', (tool: Tool) => !isOfMalls(tool)], ['try.malls', isOfMalls],
] as const

/** After a reload the agent's last order is as good as one that was just placed. */
function useLastOrder(): void {
  const agent = chosenAgent.value
  useEffect(() => {
    if (agent === undefined || carried.value.orders[agent] !== undefined) return
    call<OrderPage>('GET', `/orders?agent=${agent}&limit=1`).then(({ items: [last] }) => {
      const isKnown = carried.value.orders[agent] !== undefined
      if (last && !isKnown && apiKey.value === '') rememberOrder(agent, last.order_no)
    }, () => {
      // The examples' own order number stays: nothing else needs this.
    })
  }, [agent])
}

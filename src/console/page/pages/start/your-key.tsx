import { useState } from 'preact/hooks'
import { t } from '../../i18n/text.ts'
import { TextField } from '../../parts/field.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { apiKey, newKey } from '../../session.ts'
import { useAction } from '../../use-load.ts'
import { createAgent } from '../agents/create-agent.tsx'
import { KeyShown, UnsavedKey } from '../agents/new-key.tsx'

const FIRST_LABEL = 'my first agent'

/** The key that the page's examples use: made here or pasted, and only ever in memory. */
export function YourKey() {
  const [isShown, setShown] = useState(false)
  const action = useAction(() => createAgent(FIRST_LABEL))
  return (
    <div class="card key">
      <TextField label={t('key.yours')} type="password" value={apiKey.value}
        placeholder="ak_…" hint={t('key.memory')}
        onChange={(value) => { apiKey.value = value.trim() }} />
      <div class="actions">
        <button type="button" class="button primary" aria-disabled={action.isBusy}
          onClick={() => void action.run().then(setShown)}>
          {action.isBusy ? t('working') : t('key.create')}</button>
        <a class="button" href="/console/agents">{t('key.manage')}</a>
      </div>
      <ProblemNotice problem={action.problem} />
      {newKey.value && !isShown && <UnsavedKey />}
      {isShown && <KeyShown onClose={() => setShown(false)} />}
    </div>
  )
}

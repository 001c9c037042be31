import { t } from '../i18n/text.ts'
import { Page, Section } from '../parts/page.tsx'
import { TryIt } from './start/try-it.tsx'
import { Ways } from './start/ways.tsx'
import { YourAgent } from './start/your-agent.tsx'

/** From nothing to a first call: a key, a way in, a try. */
export function StartPage() {
  return (
    <Page title={t('start.title')} lead={t('start.lead')}>
      <Section title={t('start.key')} lead={t('start.key.lead')}><YourAgent /></Section>
      <Section title={t('start.ways')} lead={t('start.ways.lead')}><Ways /></Section>
      <Section title={t('try.title')} lead={t('try.lead')}><TryIt /></Section>
    </Page>
  )
}

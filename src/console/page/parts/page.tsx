import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface PageProps {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => { document.title = `${title} · agentmall` }, [title])
  return (
    <>
      <header class="page-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

interface SectionProps {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export const Section = ({ title, lead, actions, children }: SectionProps) => (
  <section class="section">
    <header>
      <div>
        <h2>{title}</h2>
        {lead && <p class="soft">{lead}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
    {children}
  </section>
)

/** The table of the event catalogue, for docs/events.md. */
import { EVENT_TYPES, type EventType } from './catalogue.ts'

const fieldsOf = ({ data, audience }: EventType): string =>
  `${Object.keys(data.properties).map((name) => `\`${name}\``).join(', ')}`
  + (audience === 'account' ? ' (accounts only)' : '')

export function catalogueMarkdown(): string {
  const rows = EVENT_TYPES.map((type) =>
    `| \`${type.name}\` | ${type.title} | ${fieldsOf(type)} |`)
  return ['| event | when | data |', '|---|---|---|', ...rows].join('\n')
}

export const CATALOGUE_BEGIN = '<!-- catalogue: npm run docs -->'
export const CATALOGUE_END = '<!-- end of the catalogue -->'

/** The document with its table as the catalogue is now. */
export function withCatalogue(document: string): string {
  const [before = '', rest = ''] = document.split(CATALOGUE_BEGIN)
  const [, after = ''] = rest.split(CATALOGUE_END)
  return `${before}${CATALOGUE_BEGIN}\n${catalogueMarkdown()}\n${CATALOGUE_END}${after}`
}

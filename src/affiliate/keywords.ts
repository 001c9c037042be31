/** What a platform is asked for, which takes keywords only and knows goods by Chinese names. */
import { kindNames } from '../goods/taxonomy.ts'
import { searchText, type Understanding } from '../language/understand.ts'

export function mallKeywords(understood: Understanding): string {
  const named = kindNames().get(understood.kind?.value ?? '')?.name_zh
  const others = understood.keywords.filter(({ role }) => role !== 'kind')
    .map(({ folded }) => folded)
  return named === undefined ? searchText(understood) : [...others, named].join(' ')
}

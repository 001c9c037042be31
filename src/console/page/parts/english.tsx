import type { ComponentChildren } from 'preact'
import { language } from '../preferences.ts'

/** Words of the API, which speaks English in every language of the page. */
export const English = ({ children }: { readonly children: ComponentChildren }) => (
  <span lang={language.value === 'en' ? undefined : 'en'}>{children}</span>
)

/** The page's words in the chosen language. */
import { language } from '../preferences.ts'
import { wordsFor } from '../problems.ts'
import { en } from './en.ts'
import { enTerms, zhTerms } from './terms.ts'
import { enWebhooks, zhWebhooks } from './webhook-texts.ts'
import { zh } from './zh.ts'

const ENGLISH = { ...en, ...enWebhooks, ...enTerms }
export type TextName = keyof typeof ENGLISH
const TEXTS: Readonly<Record<'zh' | 'en', Readonly<Record<TextName, string>>>> = {
  en: ENGLISH, zh: { ...zh, ...zhWebhooks, ...zhTerms },
}

/** With `{name}` filled in. Reading it makes a component follow the language. */
export function t(name: TextName, given: Readonly<Record<string, string | number>> = {}): string {
  return TEXTS[language.value][name]
    .replaceAll(/\{(\w+)\}/g, (whole, key: string) => String(given[key] ?? whole))
}

/** A word of the API, such as a status; as it stands where we have none for it. */
export function term(group: string, word: string): string {
  const name = `${group}.${word}`
  return name in ENGLISH ? t(name as TextName) : word
}

/** What the API says about a field, in the words of the page. */
export function problemText(problem: string): string {
  const { name, given } = wordsFor(problem)
  return t(name, given)
}

/** What the API says about a field, in words of the page. */
import type { TextName } from './i18n/text.ts'

/** Sentences of the API's checks; their named groups fill the text. */
const PROBLEMS: readonly (readonly [RegExp, TextName])[] = [
  [/^(is required|must not be empty)$/, 'missing'],
  [/^(?:must have|needs) at least (?<n>\d+) characters$/, 'problem.short'],
  [/^(?:must|may) have at most (?<n>\d+) characters$/, 'problem.long'],
  [/^must be 1 to (?<n>\d+) visible characters$/, 'problem.label'],
  [/control characters|valid Unicode/, 'problem.characters'],
  [/^is among the first passwords/, 'problem.weak'],
  [/^must be an e-mail address$/, 'email.wrong'],
  [/^must be a URL$/, 'problem.url'],
  [/^must begin with https/, 'problem.https'],
  [/^must be http or https$/, 'problem.https'],
  [/^must lead to a public address$/, 'problem.public'],
  [/^must not have a (user or a password|fragment)$/, 'problem.url_parts'],
  [/^names no event/, 'problem.event'],
  [/^no answer in time$/, 'attempt.late'],
  [/^no connection: (?<code>.+)$/, 'attempt.refused'],
  [/^its name leads to an address that is not public$/, 'attempt.private'],
  [/^the challenge was not answered$/, 'attempt.challenge'],
  [/^must be a name of 2 to 40 letters$/, 'problem.name'],
  [/^must be a phone number or an e-mail address$/, 'problem.account'],
  [/^must be a card number/, 'problem.card'],
  [/^must be at least (?<n>[\d.]+)$/, 'problem.least'],
  [/^(?:must|may) be at most (?<n>[\d.]+)$/, 'problem.most'],
  [/^leaves more than (?<n>\d+) keys good/, 'problem.keys'],
  [/^is not valid any more$/, 'problem.over'],
  [/such as (?<example>.+)$/, 'problem.example'],
]

interface ProblemWords {
  readonly name: TextName
  readonly given?: Readonly<Record<string, string>> | undefined
}

/** Never the API's own sentence, which is for programs. */
export function wordsFor(problem: string): ProblemWords {
  for (const [pattern, name] of PROBLEMS) {
    const found = pattern.exec(problem)
    if (found) return { name, given: found.groups }
  }
  return { name: 'problem.other' }
}

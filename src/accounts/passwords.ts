/** Passwords: argon2id, peppered, so many at a time. */
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { PASSWORD_HASHING } from '../config.ts'
import { Refusal } from '../contract/errors.ts'

const LENGTH_MIN = 10
const LENGTH_MAX = 128
const WEAK = 'is among the first passwords that somebody tries: take a few words in a row'
/** Each takes 19 MiB and a core for a moment: more at once would only slow each other down. */
const AT_ONCE = 2
/** A caller that would wait longer than about a second is refused with Retry-After. */
const WAITING_MAX = 32

/** As costly to try as anybody's, and no password has it. */
const NOBODYS = '$argon2id$v=19'
  + `$m=${PASSWORD_HASHING.memoryCost},t=${PASSWORD_HASHING.timeCost},`
  + `p=${PASSWORD_HASHING.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

export interface Passwords {
  /** Refuses what is too short, too long, not writable, or what everybody tries first. */
  assertUsable(password: string, path?: string): void
  hash(password: string): Promise<string>
  /** Without a hash it is false, after the same work. */
  matches(password: string, hashed: string | undefined): Promise<boolean>
}

/** `pepper`: without it a stolen ledger is of no use for guessing. */
export function createPasswords(pepper: Buffer): Passwords {
  const options = { ...PASSWORD_HASHING, secret: pepper }
  const limit = pLimit(AT_ONCE)

  function bounded<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= WAITING_MAX) {
      return Promise.reject(new Refusal('unavailable', { retry_after_s: 1 }))
    }
    return limit(work)
  }

  return {
    assertUsable(password, path = 'password') {
      const { length } = [...password]
      const problem = length < LENGTH_MIN ? `must have at least ${LENGTH_MIN} characters`
        : length > LENGTH_MAX ? `must have at most ${LENGTH_MAX} characters`
          : /\p{Cc}|\p{Cs}/u.test(password) ? 'must not contain control characters'
            : isWeakPassword(password) ? WEAK : undefined
      if (problem) throw new Refusal('invalid_request', { fields: [{ path, problem }] })
    },
    hash: (password) => bounded(() => hash(password.normalize('NFKC'), options)),
    async matches(password, hashed) {
      // What no password can be costs no work, known address or not.
      if (password.length > LENGTH_MAX * 2) return false
      const isRight = await bounded(() =>
        verify(hashed ?? NOBODYS, password.normalize('NFKC'), options))
      return isRight && hashed !== undefined
    },
  }
}

/**
 * Passwords of a permitted length that lists of stolen ones begin with: a common word with digits
 * around it, digits with few letters, keys in a row, one part over and over.
 */

/** What is left of the common ones without digits and signs. Chinese ones are in pinyin. */
const COMMON = new Set(`
  abc abcd abcde abcdef abcdefg abcdefgh abcdefghij access admin administrator agent agentmall
  aini alexander apple asd asdasd asdf asdfasdf asdfg asdfgh asdfghjkl asdzxc azerty baobao
  baseball batman beijing buzhidao changeme charlie chocolate computer
  daniel default demo diamond dragon elephant football forever freedom google guest hello
  helloworld iloveyou iloveu internet jennifer jessica jordan killer letmein liverpool love
  loveforever lovelove loveme loveyou master michael michelle microsoft minecraft mnbvcxz monkey
  mypassword nihao ninja pass passpass password passwd passphrase pokemon princess qaz qazqaz
  qazwsx qazwsxedc qawsed qq qqq qwaszx qwe qweasd qweasdzxc qweqwe qwer qwerasdf qwert qwertasdfg
  qwerty qwertyui qwertyuiop root samsung sandbox secret shadow shanghai shopper shopping soccer
  spiderman starwars sunshine superman test tester testing testpassword testtest trustno user
  username welcome welcomeback whatever windows woaiwojia woaini wobuzhidao wodemima woshishui
  www xiaoxiao zaqxswcde zaqwsx zhang zxcasdqwe zxcv zxcvbn zxcvbnm
`.trim().split(/\s+/))

const LETTERS_MIN = 4
const DIFFERENT_MIN = 5
const LOOKALIKES: Readonly<Record<string, string>> = {
  0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i',
}

function isWeakPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  if (new Set(text).size < DIFFERENT_MIN) return true
  if ([...text.replaceAll(/\d/g, '')].length < LETTERS_MIN) return true
  const inside = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const spelt = inside.replaceAll(/[0134578@$!]/g, (sign) => LOOKALIKES[sign] ?? sign)
  return [text, spelt].some((one) => COMMON.has(unitOf(one.replaceAll(/[^\p{L}]/gu, ''))))
}

/** "qweqweqwe" is "qwe". */
const unitOf = (text: string): string => /^(.+?)\1+$/u.exec(text)?.[1] ?? text

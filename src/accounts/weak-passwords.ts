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

export function isWeakPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  if (new Set(text).size < DIFFERENT_MIN) return true
  if ([...text.replaceAll(/\d/g, '')].length < LETTERS_MIN) return true
  const inside = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const spelt = inside.replaceAll(/[0134578@$!]/g, (sign) => LOOKALIKES[sign] ?? sign)
  return [text, spelt].some((one) => COMMON.has(unitOf(one.replaceAll(/[^\p{L}]/gu, ''))))
}

/** "qweqweqwe" is "qwe". */
const unitOf = (text: string): string => /^(.+?)\1+$/u.exec(text)?.[1] ?? text

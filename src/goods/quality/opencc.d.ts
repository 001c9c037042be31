/** Pairs `simplified traditional` joined by `|`; the package types only its converters. */
declare module 'opencc-js/dict/STCharacters' {
  const pairs: string
  export default pairs
}

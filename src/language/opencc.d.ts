/** Pairs `traditional simplified` joined by `|`; the package types only its converters. */
declare module 'opencc-js/dict/TSCharacters' {
  const pairs: string
  export default pairs
}

/** Pairs `simplified traditional` joined by `|`. */
declare module 'opencc-js/dict/STCharacters' {
  const pairs: string
  export default pairs
}

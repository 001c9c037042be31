/** Pairs `traditional simplified` joined by `|`; the package types only its converters. */
declare module 'opencc-js/dict/TSCharacters' {
  const pairs: string
  export default pairs
}

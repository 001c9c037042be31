// For `node --import`. The conformance runner imports fs.globSync, which came with Node 22, for
// a command that is not used here: on an older Node it gets an fs that at least has the name.
import { register } from 'node:module'

const urlOf = (source) => `data:text/javascript,${encodeURIComponent(source)}`

const fileSystem = urlOf(`
  export * from 'node:fs'
  export { default } from 'node:fs'
  export const globSync = () => { throw new Error('fs.globSync needs Node 22.') }
`)

register(urlOf(`
  export const resolve = (name, context, next) =>
    name === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
      ? { url: ${JSON.stringify(fileSystem)}, shortCircuit: true }
      : next(name, context)
`))

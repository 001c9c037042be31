#!/usr/bin/env node
// Compiles the sources where they have changed, and runs them; the command line itself is cli.ts.
import { requireNode } from '../config/node-version.mjs'

// The doctor says it among what else it finds.
if (process.argv[2] !== 'doctor') requireNode()
const { compiledEntry } = await import('../config/compile.mjs')
const { pathToFileURL } = await import('node:url')
let entry
try {
  entry = pathToFileURL(await compiledEntry()).href
} catch (error) {
  // A cache folder that cannot be written, mostly.
  process.stderr.write(`The sources run uncompiled and take more memory: ${error.message}\n`)
  const { register } = await import('tsx/esm/api')
  register()
  entry = new URL('cli.ts', import.meta.url).href
}
await import(entry)

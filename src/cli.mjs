#!/usr/bin/env node
// Lets plain `node` run the TypeScript sources; the command line itself is cli.ts.
import { requireNode } from '../config/node-version.mjs'

// The doctor says it among what else it finds.
if (process.argv[2] !== 'doctor') requireNode()
const { register } = await import('tsx/esm/api')
register()
await import('./cli.ts')

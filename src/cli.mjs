#!/usr/bin/env node
// Lets plain `node` run the TypeScript sources; the command line itself is cli.ts.
import { register } from 'tsx/esm/api'

register()
await import('./cli.ts')

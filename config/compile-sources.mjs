// A process of its own for the compiler, whose memory ends with it. Arguments: the root of the
// sources, and the folder to write to.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const [root, folder] = process.argv.slice(2)
/** Run in the folder once it is complete: makes what no process has to make again. */
const LAST = 'src/language/write-prepared.ts'

/** A source finds scripts and settings beside itself, and not beside what it was compiled to. */
const ownAddress = {
  name: 'own-address',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
}

/** Of several hundred files, which each process would read, and keep, one by one. */
const JOINED = /^typebox(?:\/|$)/

/** Packages stay where they are installed, but for those that are joined with the sources. */
const packages = {
  name: 'packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || JOINED.test(path) ? undefined : { path, external: true })
  },
}

try {
  await build({
    absWorkingDir: root,
    entryPoints: { cli: 'src/cli.ts', ...existsSync(join(root, LAST)) && { last: LAST } },
    outdir: folder,
    bundle: true,
    // What is imported late stays in files of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    plugins: [packages, ownAddress],
    logLevel: 'silent',
  })
} catch (error) {
  process.stderr.write(error.message)
  process.exitCode = 1
}

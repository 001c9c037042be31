/** Builds a Rust program with cargo; what it needs is compiled once for all runs. */
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, programOf, type Bench } from './bench.ts'
import { VERSIONS } from './versions.ts'

export interface RustProgram {
  readonly name: string
  readonly main: string
  /** Beside those that each has. */
  readonly dependencies: string
}

export async function buildRust(
  bench: Bench, { name, main, dependencies }: RustProgram,
): Promise<string[]> {
  const cargo = programOf('cargo')
  await cp(main, join(bench.folder, 'main.rs'))
  await writeFile(join(bench.folder, 'Cargo.toml'), `[package]
name = "${name}"
version = "0.1.0"
edition = "2021"

[[bin]]
name = "${name}"
path = "main.rs"

[dependencies]
${dependencies}
tokio = { version = "=${VERSIONS.tokio}", features = ["macros", "rt"] }
uuid = { version = "=${VERSIONS.uuid}", features = ["v4"] }

[profile.dev]
debug = false
`)
  await bench.fetch(cargo, ['fetch', '--quiet'])
  const target = cacheFolder('rust')
  await bench.run(cargo, ['build', '--quiet', '--target-dir', target])
  return [join(target, 'debug', name)]
}

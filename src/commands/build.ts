/**
 * What is made for others to take along: the plugin for agent harnesses, and the page of /console.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Command } from 'commander'
import { type Config, ConfigError } from '../config.ts'
import { buildPage, pageFolder } from '../console/assets.ts'
import { BASE_PATH } from '../http/rest.ts'
import { operations } from '../operations/index.ts'
import { createPlugin } from '../plugin/plugin.ts'
import { VERSION } from '../version.ts'
import { print } from './context.ts'

/** `agentmall plugin pack` */
export function pluginCommands({ dataDir, publicUrl }: Config): Command {
  const command = new Command('plugin').description('the plugin for agent harnesses')

  command.command('pack')
    .description('write the archive that nodes serve at /plugin/agentmall.zip, for PUBLIC_URL')
    .option('--output <file.zip>', 'where to', join(dataDir, 'agentmall.zip'))
    .option('--folder', 'write the files themselves as well, beside it')
    .action(({ output, folder }: { output: string, folder?: boolean }) => {
      if (!output.endsWith('.zip')) throw new ConfigError('--output must end in .zip.')
      const { archive, sha256, files } = createPlugin({
        operations, publicUrl, basePath: BASE_PATH, version: VERSION,
      })
      const file = resolve(output)
      const unpacked = file.replace(/\.zip$/, '-plugin')
      write(file, archive)
      if (folder) for (const [path, text] of files) write(join(unpacked, path), text)
      print({
        file, bytes: archive.length, sha256, public_url: publicUrl,
        ...(folder && { folder: unpacked }),
      })
    })
  return command
}

function write(path: string, content: Buffer | string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** `agentmall console build`, for images whose file system cannot be written later. */
export function consoleCommands({ cacheDir }: Config): Command {
  const command = new Command('console').description('the page of /console')
  command.command('build')
    .description('build it where it is not built yet, as start does by itself')
    .action(async () => {
      let isNew = false
      await buildPage(cacheDir, () => { isNew = true })
      print({ folder: pageFolder(cacheDir), built: isNew })
    })
  return command
}

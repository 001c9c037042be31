import { Command } from 'commander'
import type { Config } from '../config.ts'
import { buildPage, pageFolder } from '../console/build.ts'
import { print } from './print.ts'

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

/** `npm run load -- PROFILE`: a load test with k6, its report, and one line about it. */
import { join } from 'node:path'
import { Argument, Command } from 'commander'
import { ConfigError, loadSettings, programPath, readConfig } from '../../src/config.ts'
import { provideK6 } from './k6.ts'
import { PROFILES, type Profile } from './profiles.ts'
import { runProfile } from './run.ts'
import { withTarget } from './target.ts'

const say = (text: string): void => { process.stderr.write(`${text}\n`) }

async function load(name: string): Promise<void> {
  const profile = PROFILES[name] as Profile
  const settings = loadSettings()
  const k6 = await provideK6(programPath(), say)
  await withTarget(profile, settings, async (target) => {
    say(`${name}: ${profile.about}; ${settings.rate ?? profile.rate}/s for `
      + `${settings.seconds ?? profile.seconds} s ...`)
    const folder = join(readConfig().dataDir, 'load')
    const { run, line, report } = await runProfile({
      name, profile, settings, target, k6, folder,
    })
    process.stdout.write(`${line}\n`)
    say(`Report: ${report}`)
    if (!run.ok) process.exitCode = 1
  })
}

// Ctrl-C reaches k6, too: it ends its run, and the report is made of what there is.
process.on('SIGINT', () => undefined)
const list = Object.entries(PROFILES).map(([name, { about }]) => `  ${name.padEnd(11)}${about}`)
try {
  await new Command('npm run load --')
    .description('Load tests with k6. Settings are variables: see loadtest/README.md.')
    .addArgument(new Argument('[profile]', 'which').choices(Object.keys(PROFILES)))
    .addHelpText('after', `\nProfiles:\n${list.join('\n')}`)
    .option('--provide', 'only see to it that k6 is there')
    .action(async (name: string | undefined, { provide }: { provide?: true }) => {
      if (provide) say(await provideK6(programPath(), say))
      else if (name) await load(name)
      else throw new ConfigError('Which profile? `npm run load -- --help` lists them.')
    })
    .parseAsync()
} catch (error) {
  const { message, stack } = error as Error
  say(error instanceof ConfigError ? message : stack ?? message)
  process.exitCode = 1
}

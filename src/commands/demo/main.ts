/** `npm run demo`: an agent that shops by itself, against the running node or one of its own. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { monotonicMs } from '../../contract/time.ts'
import { ConfigError, readConfig, type Config } from '../../config.ts'
import { createLogger } from '../../log.ts'
import { createTrialKey } from '../../operations/create-trial-key.ts'
import { connectAgent, post, Refused } from './agent.ts'
import {
  chooseItem, createStage, followParcel, pay, placeOrder, sendBack, showEarnings, type Stage,
} from './shopping.ts'
import { isReady, startOwnNode } from './own-node.ts'

const USAGE = `An agent that shops by itself over MCP, and says what it does.

  npm run demo                   against the node of PORT, or one that it starts and stops
  npm run demo -- --fast         without pauses to read
  npm run demo -- --url ADDRESS  against a node elsewhere

It orders, pays and returns one item of the sandbox.
`

const { values } = parseArgs({ options: {
  fast: { type: 'boolean', default: false }, url: { type: 'string' }, help: { type: 'boolean' },
} })

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const begun = monotonicMs()
  const stage = createStage({ stream: process.stdout, pauseMs: values.fast ? 0 : 1500 })
  const configured = readConfig()
  const url = (values.url ?? configured.publicUrl).replace(/\/+$/, '')
  if (await isReady(url)) {
    stage.say(`The node at ${url} is running: shopping there.`)
    await shop(url, configured, stage)
  } else if (values.url !== undefined) {
    throw new ConfigError(`No node that is ready answers at ${url}.`)
  } else {
    stage.say(`No node at ${url}: starting one of the demo's own, in ${configured.dataDir}/demo `
      + '(the first time takes a minute or two).')
    const own = await startOwnNode(configured, values.fast ? 200 : 1500)
    try {
      await shop(own.config.publicUrl, own.config, stage)
    } finally {
      await own.stop()
      stage.say('\n   The demo\'s own node is stopped.')
    }
  }
  stage.say(`Done in ${((monotonicMs() - begun) / 1000).toFixed(0)} s. `
    + 'Now yours: docs/quickstart.md.')
}

/** `config` is the node's, where its data is on this machine. */
async function shop(url: string, config: Config, stage: Stage): Promise<void> {
  await stage.chapter('A key, and the tools')
  const key = await aKey(url, config, stage)
  const agent = await connectAgent(url, key)
  try {
    stage.say(`${url}/mcp, ${agent.tools.length} tools: ${agent.tools.slice(0, 6).join(', ')}, …`,
      'MCP')
    const shopping = { url, key, agent, stage, pollMs: values.fast ? 250 : 1000 }
    const placed = await placeOrder(shopping, await chooseItem(agent, stage))
    await pay(shopping, placed)
    await followParcel(shopping, placed.order_no)
    await sendBack(shopping, placed.order_no)
    await showEarnings(config, createLogger('silent'), stage, placed.order_no)
  } finally {
    await agent.close()
  }
}

/** A trial key; where an address has had its keys of the day, the node's sandbox key. */
async function aKey(url: string, { dataDir }: Config, stage: Stage): Promise<string> {
  const file = join(dataDir, 'sandbox-key')
  try {
    const { api_key, tier } = await post(createTrialKey, { url })
    stage.say(`${api_key.slice(0, 12)}…, tier ${tier}: no account needed`, 'key')
    return api_key
  } catch (error) {
    if (!(error instanceof Refused) || !existsSync(file)) throw error
    stage.say(`no more trial keys today (${error.error}): the node's sandbox key`, 'key')
    return readFileSync(file, 'utf8').trim()
  }
}

try {
  await main()
} catch (error) {
  const isPlain = error instanceof ConfigError || error instanceof Refused
  const { message, stack } = error as Error
  process.stderr.write(`${isPlain ? message : stack ?? message}\n`)
  process.exitCode = 1
}

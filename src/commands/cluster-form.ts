/** `agentmall cluster form`: a Redis Cluster of servers that run elsewhere, as in containers. */
import { Command } from 'commander'
import { ConfigError, type Config } from '../config.ts'
import { formCluster, type Joining } from '../redis/cluster-form.ts'

export function clusterFormCommand(config: Config): Command {
  return new Command('form')
    .description('make a Redis Cluster of the servers in LEDGER_URL; repeating it is harmless')
    .option('--masters <count>', 'servers that share the slots; the others are replicas', '3')
    .action(async ({ masters }: { masters: string }) => {
      const servers = serversIn(config.redis?.ledger)
      if (!/^[1-9]\d*$/.test(masters) || servers.length < Number(masters)) {
        throw new ConfigError('LEDGER_URL must name every server, and at least --masters of them.')
      }
      await formCluster(servers, Number(masters))
      process.stdout.write(`A cluster of ${servers.length} servers, ${masters} of them masters.\n`)
    })
}

function serversIn(urls: string | undefined): Joining[] {
  return (urls ?? '').split(',').filter(Boolean).map((text) => {
    const { hostname, port, username, password } = new URL(text)
    return {
      host: hostname, ...(username && { username: decodeURIComponent(username) }),
      port: Number(port || 6379), password: decodeURIComponent(password),
    }
  })
}

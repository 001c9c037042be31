/** One node: everything wired together, listening. Keeps nothing that another node needs. */
import { createAccounts } from '../accounts/keys.ts'
import type { Config } from '../config.ts'
import { createGate } from '../gate/invoke.ts'
import { createLimits } from '../gate/limits.ts'
import { createBoard } from '../goods/board.ts'
import { createGoods } from '../goods/goods.ts'
import { listen } from '../http/exchange.ts'
import { errorReply } from '../http/envelope.ts'
import { createRoutes } from '../http/server.ts'
import { createSecrets } from '../ids.ts'
import type { Logger } from '../log.ts'
import { createOrders } from '../orders/orders.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { channels } from '../redis/keys.ts'
import { openRoles, type RedisUrls } from '../redis/roles.ts'
import { assertSameSecret } from '../secret.ts'
import type { Services } from '../services.ts'
import { startWorkers } from '../workers/index.ts'

export interface Node {
  readonly port: number
  readonly services: Services
  /** Stops accepting, lets what is in flight finish, and closes what it opened. */
  stop(): Promise<void>
}

export interface NodeOptions {
  readonly config: Config
  readonly urls: RedisUrls
  readonly secret: string
  readonly log: Logger
}

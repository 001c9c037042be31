/** docker-compose.yml, the Dockerfile and the files they mount, held to what operators rely on. */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { NO_DEFAULT_USER, userLine } from '../../src/dev/redis/acl.ts'
import { readConfig } from '../../src/config.ts'
import {
  read, readCompose, readDockerfile, ROOT, wordsOf, type Service,
} from './compose.ts'
import { runVariables } from './topology.ts'

const variables = runVariables()
const compose = readCompose(variables)
const services = Object.entries(compose.services)
const ours = services.filter(([, { build }]) => build !== undefined)
const offenders = (is: (service: Service, name: string) => boolean): string[] =>
  services.filter(([name, service]) => is(service, name)).map(([name]) => name)

describe('docker-compose.yml', () => {
  test('has every part of the production shape', () => {
    const count = (prefix: string): number =>
      services.filter(([name]) => new RegExp(`^${prefix}-\\d$`).test(name)).length
    expect({ nodes: count('node'), members: count('ledger') }).toEqual({ nodes: 3, members: 7 })
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining([
      'shelf', 'shelf-replica', 'counters', 'haproxy', 'ledger-form', 'prometheus', 'grafana']))
  })

  test('refuses to start without its secrets, and holds none itself', () => {
    const names = [
      'SECRET', 'REDIS_PASSWORD', 'OPERATOR_PASSWORD', 'REPLICA_PASSWORD', 'METRICS_TOKEN',
      'GRAFANA_PASSWORD',
    ] as const
    for (const name of names) {
      const { [name]: _, ...others } = variables
      expect(() => readCompose(others), name).toThrow(`${name} is missing`)
    }
    const environment = services.flatMap(([, service]) =>
      Object.entries(service.environment ?? {}))
    const passwords = [...JSON.stringify(compose)
      .matchAll(/redis:\/\/\w+:(.*?)@|(?:masterauth | on >)(\w+)/g)]
    const secrets = [
      ...environment.filter(([name]) => /SECRET|PASSWORD|TOKEN|AUTH/.test(name))
        // A provider of payments and a bucket are optional: without one its secret is empty.
        .filter(([name, text]) => !/^(PAYMENT|ARCHIVE_S3)_SECRET$/.test(name) || text !== '')
        .map(([, text]) => text),
      ...passwords.map(([, inUrl, inFile]) => inUrl ?? inFile),
    ]
    expect(secrets.length).toBeGreaterThan(10)
    const given = Object.values(variables)
    expect(secrets.filter((secret) => !given.includes(secret ?? ''))).toEqual([])
    expect(read('.gitignore').split('\n')).toContain('.env')
  })

  test('gives every user of Redis the rights that the code needs, and no default user', () => {
    const lines = compose.configs['redis-users']?.content.trim().split('\n') ?? []
    expect(lines).toEqual([
      NO_DEFAULT_USER, userLine('node', variables['REDIS_PASSWORD']),
      userLine('operator', variables['OPERATOR_PASSWORD']),
      userLine('replica', variables['REPLICA_PASSWORD']), userLine('health'),
      'masteruser replica', `masterauth ${variables['REPLICA_PASSWORD']}`,
    ])
    for (const [name, { environment = {} }] of ours) {
      const users = [...JSON.stringify(environment).matchAll(/redis:\/\/(\w+):/g)]
        .map(([, user]) => user)
      const isOperator = name === 'ledger-form'
      expect(new Set(users), name).toEqual(new Set(isOperator ? ['node', 'operator'] : ['node']))
    }
  })

  test('pins every image to a version', () => {
    expect(offenders(({ image = '', build }) => build === undefined
      && !/:v?\d+\.\d+\.\d+(-[a-z]+)?$/.test(image))).toEqual([])
  })

  test('bounds the log of every service', () => {
    expect(offenders(({ logging }) => logging?.driver !== 'json-file'
      || !/^\d+m$/.test(logging.options['max-size'] ?? '')
      || !/^\d+$/.test(logging.options['max-file'] ?? ''))).toEqual([])
  })

  test('publishes ports on this machine alone', () => {
    expect(offenders(({ ports = [] }) =>
      ports.some((port) => !/^127\.0\.0\.1:\d+:\d+$/.test(port)))).toEqual([])
  })

  test('gives each container of a Redis twice the memory that Redis may hold', () => {
    const mib = (text = ''): number => {
      const [, count, unit] = /^(\d+)(m|g)b?$/.exec(text) ?? []
      return Number(count) * (unit === 'g' ? 1024 : 1)
    }
    const redis = services.filter(([, { image = '' }]) => image.startsWith('redis:'))
    expect(redis.length).toBeGreaterThan(8)
    for (const [name, service] of redis) {
      const words = wordsOf(service)
      const at = words.indexOf('--maxmemory')
      const conf = /ledger/.test(name) ? 'config/redis.conf' : 'config/redis-shelf.conf'
      const max = at < 0 ? /^maxmemory (\S+)$/m.exec(read(conf))?.[1] : words[at + 1]
      expect(mib(max), name).toBeGreaterThan(0)
      expect(mib(service.mem_limit), name).toBeGreaterThanOrEqual(2 * mib(max))
    }
  })

  test('checks the health of all that stays, and what depends waits for it', () => {
    const once = offenders(({ healthcheck }) => healthcheck?.disable === true)
    expect(once).toEqual(['ledger-form'])
    expect(offenders(({ healthcheck }, name) => !once.includes(name)
      && (healthcheck?.test?.length ?? 0) < 2)).toEqual([])
    for (const [name, { depends_on = {} }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        expect(compose.services[other], `${name} → ${other}`).toBeDefined()
        expect(condition).toBe(once.includes(other) ? 'service_completed_successfully'
          : 'service_healthy')
      }
    }
  })

  test('mounts only what is there, and declares what it names', () => {
    for (const [name, { volumes = [], networks = [], configs = [], secrets = [] }] of services) {
      for (const volume of volumes) {
        const [source = '', , mode] = volume.split(':')
        const isDeclared = source in (compose.volumes ?? {})
        const isMounted = existsSync(join(ROOT, source)) && mode === 'ro'
        expect(source.startsWith('.') ? isMounted : isDeclared, `${name} ${volume}`).toBe(true)
      }
      const named = Array.isArray(networks) ? networks : Object.keys(networks)
      for (const network of named) expect(compose.networks, name).toHaveProperty(network)
      for (const { source } of configs) expect(compose.configs, name).toHaveProperty(source)
      for (const secret of secrets) expect(compose.secrets, name).toHaveProperty(secret)
    }
  })

  test('drops every capability', () => {
    const hardened = { cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }
    for (const [name, service] of services) expect(service, name).toMatchObject(hardened)
    const redis = services.filter(([, { image }]) => image?.startsWith('redis:'))
    for (const [name, { user }] of redis) expect(user, name).toBe('redis')
  })

  test('sets variables that are settings, with values that are taken', () => {
    const known = read('src/config.ts') + read('src/config-values.ts')
    for (const [name, { environment = {} }] of ours) {
      const unknown = Object.keys(environment).filter((variable) =>
        !known.includes(`'${variable}'`))
      expect(unknown, name).toEqual([])
      const config = readConfig({ ...readDockerfile().environment, ...environment })
      expect(config.redis?.ledger.split(',')).toHaveLength(7)
      expect(config.drainNoticeMs).toBeGreaterThan(2000)
    }
  })

  test('gives a node longer to stop than the node takes', () => {
    const seconds = /stop_grace_period: (\d+)s/.exec(
      read('docker-compose.yml').split('x-node:')[1] ?? '')?.[1]
    const { drainNoticeMs, drainMs } = readConfig({
      ...readDockerfile().environment, ...compose.services['node-1']?.environment,
    })
    expect(Number(seconds) * 1000).toBeGreaterThan(drainNoticeMs + drainMs + 5000)
  })

  test('two Redis alone are still to be had', () => {
    expect(offenders(({ profiles }) => profiles !== undefined)).toEqual(['ledger'])
    for (const name of ['ledger', 'shelf']) {
      expect(compose.services[name], name).toMatchObject({ ports: [expect.any(String)] })
      expect(compose.services[name]?.depends_on, name).toBeUndefined()
    }
  })
})

describe('config/compose.small.yml', () => {
  const FILE = 'config/compose.small.yml'
  const small = readCompose({}, FILE)
  const { node, redis } = small.services as Record<'node' | 'redis', Service>

  test('is one node and one Redis, and needs no setting', () => {
    expect(Object.keys(small.services)).toEqual(['node', 'redis'])
    expect(redis.image).toBe(compose.services['shelf']?.image)
    expect(node.build).toBe('..')
    expect(node.depends_on).toEqual({ redis: { condition: 'service_healthy' } })
    const config = readConfig({
      ...readDockerfile().environment, ...node.environment, SECRET: 's'.repeat(32),
    })
    expect(config).toMatchObject({
      sandbox: true, publicUrl: 'http://localhost:8080',
      redis: { ledger: 'redis://redis:6379', shelf: 'redis://redis:6379' },
    })
  })

  test('makes the node\'s secret once, and holds none itself', () => {
    const [shell, , script = ''] = node.command ?? []
    expect(shell).toBe('sh')
    const folder = mkdtempSync(join(tmpdir(), 'agentmall-compose-'))
    const run = (): string => execFileSync('sh', ['-c', script
      .replaceAll('/data', folder).replaceAll('$$', '$')
      .replace('exec node src/cli.mjs start', 'sh -c \'echo $SECRET\'')], { encoding: 'utf8' })
    const secret = run()
    expect(secret).toMatch(/^[0-9a-f]{64}\n$/)
    expect(run()).toBe(secret)
    rmSync(folder, { recursive: true })
  })

  test('lets nobody but the node reach Redis, and this machine alone reach the node', () => {
    expect(redis.ports).toBeUndefined()
    expect(redis.networks).toEqual(['back'])
    expect(small.networks['back']).toEqual({ internal: true })
    expect(node.ports).toEqual(['127.0.0.1:8080:8080'])
    expect(redis.user).toBe('redis')
    for (const service of [node, redis]) {
      expect(service).toMatchObject({
        cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'],
        logging: { driver: 'json-file' }, healthcheck: { test: expect.any(Array) },
      })
    }
  })

  test('mounts what is there: the settings of a ledger, which keeps what it acknowledges', () => {
    expect(redis.volumes).toEqual(['./redis.conf:/etc/redis/redis.conf:ro', 'redis:/data'])
    expect(existsSync(join(ROOT, dirname(FILE), 'redis.conf'))).toBe(true)
    expect(wordsOf(redis).slice(0, 2)).toEqual(['redis-server', '/etc/redis/redis.conf'])
    expect(Object.keys(small.volumes)).toEqual(['node', 'redis'])
  })

  test.each(['README.md', 'docs/operations.md'])('is in %s as it is called', (path) => {
    expect(read(path)).toContain(`docker compose -f ${FILE} up`)
  })
})

describe('Dockerfile', () => {
  const { images, last, command } = readDockerfile()

  test('has a Node that uWebSockets has a binary for, and a Debian that loads it', () => {
    // What Node calls its binary interface, by major version.
    const abis: Record<string, number> = { 20: 115, 22: 127, 24: 137 }
    for (const image of images) {
      const [, major = ''] = /^node:(\d+)\.\d+\.\d+-trixie-slim$/.exec(image) ?? []
      const folder = dirname(createRequire(import.meta.url).resolve('uWebSockets.js'))
      for (const arch of ['x64', 'arm64']) {
        expect(readdirSync(folder)).toContain(`uws_linux_${arch}_${abis[major]}.node`)
      }
    }
  })

  test('installs the locked production dependencies, without their scripts', () => {
    expect(read('Dockerfile')).toMatch(/^RUN npm ci --omit=dev --ignore-scripts/m)
  })

  test('runs as somebody else than root, and what runs is the service', () => {
    const names = last.map(([name]) => name)
    expect(last.filter(([name]) => name === 'USER').map(([, user]) => user)).toEqual(['node'])
    expect(names.indexOf('USER')).toBeGreaterThan(names.lastIndexOf('COPY'))
    expect(names).toContain('HEALTHCHECK')
    expect(command).toEqual(['node', 'src/cli.mjs', 'start'])
    expect(ours.map(([, service]) => wordsOf(service).slice(0, 2)))
      .toEqual(ours.map(() => ['node', 'src/cli.mjs']))
  })

  test('copies every file that a file it copies needs', () => {
    const copied = last.filter(([name, rest]) => name === 'COPY' && !rest.startsWith('--from'))
      .flatMap(([, rest]) => rest.split(' ').slice(0, -1))
    const allowed = read('.dockerignore').split('\n').filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    expect(copied.filter((path) => !allowed.includes(path))).toEqual([])
    const isLeftOut = (path: string): boolean =>
      /\.test\.ts$|(^|\/)testing\/|^adapters\/conformance\.ts$/.test(path)
    const sources = ['src', 'adapters'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => join(folder, name)))
      .filter((name) => name.endsWith('.ts') && !isLeftOut(name)
        && !name.startsWith('src/dev/'))
    const missing = sources.flatMap((name) =>
      [...read(name).matchAll(/^(?:import|export) [^;]*?from '(\.[^']+)'/gm)]
        .map((match) => normalize(join(dirname(name), match[1] ?? '')))
        .filter((target) => isLeftOut(target)
          || !copied.some((path) => target === path || target.startsWith(`${path}/`)))
        .map((target) => `${name} → ${target}`))
    expect(missing).toEqual([])
  })
})

describe('what watches', () => {
  const prometheus = parse(read('config/prometheus/prometheus.yml')) as {
    rule_files: string[]
    scrape_configs: { static_configs: { targets: string[] }[] }[]
  }

  test('Prometheus asks services that are there, and reads rules that are there', () => {
    for (const { static_configs } of prometheus.scrape_configs) {
      for (const target of static_configs.flatMap(({ targets }) => targets)) {
        expect(compose.services, target).toHaveProperty(target.split(':')[0] ?? '')
      }
    }
    expect(prometheus.rule_files).toEqual(['*alerts.yml'])
    expect(readdirSync(join(ROOT, 'config/prometheus'))).toContain('balancer-alerts.yml')
  })

  test('Grafana finds its source and its dashboard', () => {
    const { datasources } = parse(read('config/grafana/datasource.yml')) as {
      datasources: { uid: string, url: string }[]
    }
    expect(datasources.map(({ url }) => new URL(url).hostname)).toEqual(['prometheus'])
    const used = [...read('config/grafana/agentmall.json').matchAll(/"uid": "(\w+)"/g)]
      .map((match) => match[1])
    expect(new Set(used)).toEqual(new Set(['agentmall', datasources[0]?.uid]))
    const { providers } = parse(read('config/grafana/dashboards.yml')) as {
      providers: { options: { path: string } }[]
    }
    const targets = compose.services['grafana']?.volumes?.map((volume) => volume.split(':')[1])
    expect(targets).toContain(`${providers[0]?.options.path}/agentmall.json`)
  })
})

// The files of deploy/, held against each other and against the server's settings: no container engine and no cluster is needed.
// What was tried with the programs themselves is written in docs/scaling.md.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './repository.mjs'

const text = (path: string) => readFileSync(join(root, path), 'utf8')
const require = createRequire(import.meta.url)
// Both come with other packages: nothing else here reads YAML or schemas.
const { parse } = createRequire(require.resolve('knip'))('yaml')
const { Ajv } = createRequire(join(root, 'apps/server/package.json'))('ajv')

/** What is looked at in a service of compose. */
interface Service {
  build?: string
  networks: string[] | Record<string, unknown>
  depends_on?: string[] | Record<string, unknown>
  volumes?: string[]
  ports?: string[]
}

const chart = 'deploy/helm/ithings-core'
const compose = parse(text('deploy/cell/compose.yaml'), { merge: true })
const values = parse(text(`${chart}/values.yaml`))
const { one, two, three, haproxy, db1, db2 } = compose.services
const servers = [one, two, three]

/** Names before the equals sign, as in the files of env_file and EnvironmentFile. */
const namesIn = (env: string) => [...env.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
/** What secrets.sh writes into one of its files. */
const secretsOf = (file: string) =>
  namesIn(new RegExp(`> secrets/${file} <<EOF\\n(.*?)^EOF`, 'ms').exec(text('deploy/cell/secrets.sh'))?.[1] ?? '')

/** Names and defaults of the table of settings, without those of builds and tests. */
const settingRows = (file: string) =>
  (text(file).split('\n### ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').slice(1, 3))
const settings = new Set(
  settingRows('docs/en/configuration.md').flatMap(([names = '']) => names.match(/[A-Z][A-Z0-9_]+/g) ?? []),
)
const unknown = (names: string[]) => names.filter((name) => !settings.has(name))

describe('settings of the server', () => {
  const named = {
    'deploy/cell/compose.yaml': servers.flatMap((server) => Object.keys(server.environment)),
    'secrets/ithings.env': secretsOf('ithings.env'),
    'deploy/systemd/ithings.env': namesIn(text('deploy/systemd/ithings.env')),
    'values of the chart': [...Object.keys(values.env), ...Object.keys(values.secrets)],
    'comments in the values': text(`${chart}/values.yaml`).match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? [],
    'templates of the chart': [...text(`${chart}/templates/servers.yaml`).matchAll(/- name: ([A-Z_]+)$/gm)].map(
      ([, name = '']) => name,
    ),
  }

  test.each(Object.entries(named))('in %s are those of docs/configuration.md', (_, names) => {
    expect(names.length).toBeGreaterThan(1)
    expect(unknown(names)).toEqual([])
  })

  test('are the same in both languages, with the same defaults', () => {
    // A default in words differs; what is code in it does not.
    const codeOf = (file: string) => settingRows(file).map((cells) => cells.map((cell) => cell.match(/`[^`]+`/g)))
    expect(codeOf('docs/configuration.md')).toEqual(codeOf('docs/en/configuration.md'))
  })

  test('that do not exist would be found', () => {
    expect(unknown(['DATABASE_URL', 'DATABASE_ADDRESS', 'VITE_API_HOST'])).toEqual([
      'DATABASE_ADDRESS',
      'VITE_API_HOST',
    ])
  })
})

describe('the cell of compose', () => {
  test('has the servers where deploy/haproxy.cfg looks for them, and they believe HAProxy alone', () => {
    const addresses = servers.map((server) => server.networks.cell.ipv4_address)
    for (const port of [1883, 7777]) {
      const found = text('deploy/haproxy.cfg').matchAll(new RegExp(`^ +server \\w+ ([\\d.]+):${port} check$`, 'gm'))
      expect([...found].map(([, address]) => address)).toEqual(addresses)
    }
    for (const { environment } of servers) {
      expect(environment.TRUST_PROXY).toBe(haproxy.networks.cell.ipv4_address)
      expect(environment.MQTT_PROXY_PROTOCOL).toBe('on')
    }
  })

  test('gives the servers time to drain, and the systemd unit does so too', () => {
    for (const { stop_grace_period, environment } of servers) {
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThanOrEqual(Number(environment.DRAIN_SECONDS) + 15)
    }
    const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(text('deploy/ithings.service'))?.[1])
    const drain = Number(/^DRAIN_SECONDS=(\d+)$/m.exec(text('deploy/systemd/ithings.env'))?.[1])
    expect(stop).toBeGreaterThanOrEqual(drain + 15)
  })

  test('names only volumes, networks, services and files that there are', () => {
    for (const service of Object.values<Service>(compose.services)) {
      expect(service).toMatchObject({ restart: 'unless-stopped', security_opt: ['no-new-privileges:true'] })
      const networks = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks)
      expect(networks).toEqual(['cell'])
      const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {})
      for (const name of needed) expect(compose.services).toHaveProperty(name)
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':')
        if (source.startsWith('.')) expect(existsSync(join(root, 'deploy/cell', source))).toBe(true)
        else expect(compose.volumes).toHaveProperty(source)
      }
      if (service.build) expect(existsSync(join(root, 'deploy/cell', service.build, 'Dockerfile'))).toBe(true)
    }
  })

  test('publishes HAProxy alone and has no password of its own', () => {
    const published = Object.entries<Service>(compose.services).filter(([, service]) => service.ports)
    expect(published.map(([name]) => name)).toEqual(['haproxy'])
    expect(JSON.stringify(compose)).not.toMatch(/password|SECRET_KEY|DATABASE_URL/i)
    expect(text('.gitignore')).toContain('deploy/cell/secrets/')
  })

  test('reaches both databases by the primary only', () => {
    expect(text('deploy/cell/secrets.sh')).toMatch(
      /^DATABASE_URL=postgres:\/\/ithings:\$database@db1:5432,db2:5432\/ithings\?target_session_attrs=read-write$/m,
    )
  })
})

describe('Patroni', () => {
  const patroni = parse(text('deploy/cell/postgres/patroni.yml'))

  test('replicates to the second machine before it acknowledges', () => {
    const { ttl, loop_wait, retry_timeout, ...dcs } = patroni.bootstrap.dcs
    expect(dcs).toMatchObject({ synchronous_mode: true, failsafe_mode: true })
    expect(ttl).toBeGreaterThanOrEqual(Math.max(20, loop_wait + 2 * retry_timeout))
    // Three servers with their pools, and the reserved ones.
    expect(dcs.postgresql.parameters.max_connections).toBeGreaterThanOrEqual(3 * 25 + 10)
  })

  test('is given every variable that its file names, on either host, in compose and by systemd', () => {
    const wanted = new Set(text('deploy/cell/postgres/patroni.yml').match(/\b(PATRONI_[A-Z0-9_]+|ITHINGS_PASSWORD)\b/g))
    expect(wanted.size).toBeGreaterThan(8)
    const ways = [
      Object.keys(db1.environment),
      Object.keys(db2.environment),
      namesIn(text('deploy/systemd/patroni.env')),
    ]
    for (const way of ways) expect(new Set([...way, ...secretsOf('postgres.env')])).toEqual(wanted)
  })

  test('runs the PostgreSQL that the image installs', () => {
    const [, version] = /\/usr\/lib\/postgresql\/(\d+)\/bin/.exec(patroni.postgresql.bin_dir) ?? []
    expect(text('deploy/cell/postgres/Dockerfile')).toContain(`postgresql-${version} `)
    expect(text('deploy/systemd/README.md')).toContain(`postgresql-${version} `)
  })
})

test('NATS is given every variable that its file names', () => {
  const wanted = text('deploy/cell/nats-server.conf').match(/(?<=\$)[A-Z_]+/g)
  expect(secretsOf('nats.env').sort()).toEqual(wanted?.sort())
})

test('etcd has the same cluster in compose and by systemd', () => {
  const lines = Object.fromEntries(
    text('deploy/systemd/etcd.default')
      .split('\n')
      .filter((line) => line.startsWith('ETCD_'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  expect(compose.services.etcd1.environment).toMatchObject(lines)
})

describe('the chart', () => {
  const schema = JSON.parse(text(`${chart}/values.schema.json`))
  const fits = new Ajv({ allErrors: true }).compile(schema)

  test('has values that fit their schema, and the schema knows each of them', () => {
    fits(values)
    expect(fits.errors).toBeNull()
    expect(Object.keys(values).filter((name) => !(name in schema.properties))).toEqual([])
  })

  test.each([
    ['too many servers', { replicas: 9 }],
    ['a setting that the chart decides', { env: { ...values.env, DRAIN_SECONDS: '5' } }],
    ['a number where a text belongs', { env: { ...values.env, MQTT_CONNECTIONS: 5 } }],
    ['a key that is none', { secrets: { ...values.secrets, SECRET_KEY: 'short' } }],
    ['a value that nothing reads', { replica: 3 }],
  ])('refuses %s', (_, fault) => {
    expect(fits({ ...values, ...fault })).toBe(false)
  })

  test('reads only values that there are', () => {
    const read = globSync(`${chart}/{templates,files}/*`, { cwd: root }).flatMap((path) =>
      [...text(path).matchAll(/\.Values((?:\.\w+)+)/g)].map(([, names = '']) => names.slice(1)),
    )
    expect(read.length).toBeGreaterThan(30)
    const missing = read.filter((path) => path.split('.').reduce((at, name) => at?.[name], values) === undefined)
    expect(missing).toEqual([])
  })

  test('balances MQTT by the lines of deploy/haproxy.cfg', () => {
    const linesOf = (config: string) =>
      (/^listen mqtt\n(.*?)\n\n/ms.exec(config)?.[1] ?? '')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => !/^(#|server |\{\{)/.test(line))
    const ours = linesOf(text('deploy/haproxy.cfg'))
    expect(ours.length).toBeGreaterThan(8)
    expect(linesOf(text(`${chart}/files/haproxy.cfg`))).toEqual(ours)
  })

  test('gives a server its time to drain and asks the right doors', () => {
    const servers = text(`${chart}/templates/servers.yaml`)
    const [, reserve] = /terminationGracePeriodSeconds: \{\{ add \.Values\.drainSeconds (\d+) \}\}/.exec(servers) ?? []
    expect(Number(reserve)).toBeGreaterThanOrEqual(15)
    expect(servers).toMatch(/readinessProbe:\n +httpGet: \{ path: \/readyz, /)
    expect(servers).toMatch(/livenessProbe:\n +httpGet: \{ path: \/healthz, /)
  })

  test('has the version of the program', () => {
    expect(parse(text(`${chart}/Chart.yaml`)).appVersion).toBe(JSON.parse(text('package.json')).version)
  })
})

// The files of the container, held against the repository: no container engine is needed. What was tried with the image
// itself is written in docs/deployment.md.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join, matchesGlob } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { whatIsWrong } from './container-health.mjs'
import { root } from './repository.mjs'

const text = (path: string) => readFileSync(join(root, path), 'utf8')

/** One instruction an entry, with its continuation lines. */
const instructions = text('Dockerfile')
  .replace(/^\s*#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .map((line) => line.trim())
  .filter(Boolean)
const named = (name: string) =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length).trim())
const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
const copiedFromHere = (lines: string[]) =>
  lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1))

/** Copied as far as .dockerignore lets files of them through. */
const wholeFolders = ['docs', 'scripts']

/** A star of Docker fits a leading dot as well. */
const withoutDots = (path: string) => path.replace(/(^|\/)\./g, '$1dot-')

/** The last pattern that fits decides, as in Docker; a pattern that fits a folder fits all that is in it. */
function isIgnored(path: string): boolean {
  const parts = withoutDots(path).split('/')
  const heads = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  let ignored = false
  for (const line of text('.dockerignore').split('\n')) {
    if (!line || line.startsWith('#')) continue
    const pattern = withoutDots(line.replace(/^!/, ''))
    if (heads.some((head) => matchesGlob(head, pattern))) ignored = !line.startsWith('!')
  }
  return ignored
}

describe('the image', () => {
  test('copies only what exists and is sent to the builder', () => {
    const sources = copiedFromHere(instructions).filter((path) => !wholeFolders.includes(path))
    expect(sources.length).toBeGreaterThan(10)
    expect(sources.filter((path) => !existsSync(join(root, path)) || isIgnored(path))).toEqual([])
  })

  test('has the server and every workspace that it needs, and no other', () => {
    const needed = new Set(['server'])
    for (const name of needed) {
      const path = globSync(`{apps,packages}/${name}/package.json`, { cwd: root })[0]
      for (const dependency of Object.keys(JSON.parse(text(path ?? '')).dependencies)) {
        if (dependency.startsWith('@ithings/')) needed.add(dependency.slice('@ithings/'.length))
      }
    }
    const inImage = copiedFromHere(lastStage).filter((path) => /^(apps|packages)\//.test(path))
    expect(inImage.map((path) => path.split('/')[1]).sort()).toEqual([...needed].sort())
    for (const path of inImage) expect(named('COPY')).toContain(`${path}/package.json ${path}/`)
  })

  test('is the same for every processor', () => {
    expect(text('Dockerfile').match(/x64|x86_64|aarch64|arm64-|amd64-/)).toBeNull()
    expect(named('FROM').every((from) => /^(--platform=\$BUILDPLATFORM )?(node:\d+|debian:)\S+-slim/.test(from))).toBe(
      true,
    )
  })

  test('has in every stage the library that our Node needs', () => {
    const installs = named('RUN').filter((line) => line.includes('libatomic1'))
    expect(installs).toHaveLength(named('FROM').length)
  })

  test('runs as another user than root, with its data in a volume and a health check', () => {
    expect(lastStage).toEqual(
      expect.arrayContaining([
        'USER 10001:10001',
        'VOLUME /data',
        expect.stringMatching(/^HEALTHCHECK .*"scripts\/container-health\.mjs"/),
        'CMD ["node", "apps/server/src/main.ts"]',
      ]),
    )
  })

  test.each([
    '.env',
    'ithings.env',
    'data/postgres/password',
    'apps/server/data/files/x',
    'apps/server/.env',
    'before.backup',
    'apps/server/before.backup',
    '.git/config',
    'node_modules/zod/package.json',
    'apps/console/node_modules/x/index.js',
    'apps/console/dist/index.html',
    'apps/server/src/app/config.test.ts',
    'apps/server/src/testing/provide-database.ts',
  ])('is made without %s', (path) => {
    expect(isIgnored(path)).toBe(true)
  })

  test.each([
    'apps/server/src/main.ts',
    'apps/server/migrations/x.sql',
    'docs/api.md',
    'docs/en/configuration.md',
    'scripts/step.mjs',
    'tsconfig.base.json',
    'apps/console/index.html',
  ])('is made with %s', (path) => {
    expect(isIgnored(path)).toBe(false)
  })
})

describe('compose', () => {
  // It comes with knip; nothing else here reads YAML.
  const { parse } = createRequire(createRequire(import.meta.url).resolve('knip'))('yaml')
  const alone = parse(text('compose.embedded.yaml'))
  const both = parse(text('compose.yaml'))

  test('the program alone is hardened, keeps its data, and has time to stop', () => {
    expect(Object.keys(alone.services)).toEqual(['ithings'])
    expect(alone.services.ithings).toMatchObject({
      build: '.',
      init: true,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: ['data:/data'],
      stop_grace_period: '30s',
    })
    expect(alone.volumes).toHaveProperty('data')
  })

  test('beside PostgreSQL it is the same program, waits for it and finds it', () => {
    const { ithings, postgres } = both.services
    expect(ithings.extends).toEqual({ file: 'compose.embedded.yaml', service: 'ithings' })
    expect(ithings.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    expect(ithings.environment.DATABASE_URL).toMatch(/^postgres:\/\/ithings:.*@postgres:5432\/ithings$/)
    expect(postgres.environment).toMatchObject({ POSTGRES_USER: 'ithings', POSTGRES_DB: 'ithings' })
    expect(postgres).not.toHaveProperty('ports')
    for (const volume of [...postgres.volumes, ...alone.services.ithings.volumes])
      expect(both.volumes).toHaveProperty(volume.split(':')[0])
  })

  test('has no password of its own', () => {
    const passwords = JSON.stringify(both).match(/\$\{POSTGRES_PASSWORD.*?\}/g)
    expect(passwords).toHaveLength(2)
    for (const password of passwords ?? []) expect(password).toMatch(/^\$\{POSTGRES_PASSWORD:\?/)
    expect(both.services.postgres.environment.POSTGRES_PASSWORD).toMatch(/^\$\{[^}]+\}$/)
  })
})

describe('the health check', () => {
  let server: Server | undefined
  afterEach(() => server?.close())

  const answering = async (status: number) => {
    const made = createServer((request, reply) => reply.writeHead(request.url === '/readyz' ? status : 404).end())
    server = made
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
    return String((made.address() as AddressInfo).port)
  }

  test('is content when the server is ready', async () => {
    expect(await whatIsWrong({ PORT: await answering(200) })).toBeUndefined()
  })

  test('says what is wrong when it is not', async () => {
    expect(await whatIsWrong({ PORT: await answering(503) })).toBe('/readyz answered 503')
  })

  test('says so when there is no server', async () => {
    const port = await answering(200)
    await new Promise((resolve) => server?.close(resolve))
    expect(await whatIsWrong({ PORT: port })).toContain('ECONNREFUSED')
  })

  test('speaks TLS when the server does', async () => {
    expect(await whatIsWrong({ PORT: await answering(200), TLS_CERT: '/cert.pem' })).toMatch(/SSL|EPROTO|socket/)
  })
})

/** The whole app on a scratch database, for room tests. Nothing of ours is replaced but the clock. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { getCaptcha, login } from '@ithings/contract/features/users.ts'
import type { LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { inject } from 'vitest'
import { type App, buildApp } from '#app/build-app.ts'
import type { Config } from '#app/config.ts'
import type { Clock } from '#ports/clock.ts'
import { checkResponse } from './response-check.ts'
import { makeScratchDatabase } from './scratch-database.ts'
import { adminName, adminPassword, testConfig } from './test-config.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
  /** From now on time goes on by `advance` only: for what counts within a minute, however slow the machine is. */
  stop(): void
}

/** Real time plus whatever the test added: other parts (database, JWT) keep meaning the same "now". */
export function makeTestClock(): TestClock {
  let shift = 0
  let stoppedAt: number | undefined
  return {
    now: () => (stoppedAt ?? Date.now()) + shift,
    advance: (ms) => {
      shift += ms
    },
    stop: () => {
      stoppedAt = Date.now()
    },
  }
}

export interface CallResult<E extends Endpoint> {
  status: number
  code: number
  msg: string
  data: DataOf<E>
  headers: LightMyRequestResponse['headers']
  body: Record<string, unknown>
}

export interface CallOptions {
  token?: string | undefined
  headers?: Record<string, string>
  ip?: string
}

export interface World {
  app: App
  db: App['db']
  url: string
  clock: TestClock
  /** Token of `administrator`. */
  admin: string
  /** Any body is allowed: tests send wrong ones too. */
  call<E extends Endpoint>(endpoint: E, body?: BodyInput<E> | unknown, options?: CallOptions): Promise<CallResult<E>>
  /** The same as administrator; fails the test unless the answer is a success. */
  asAdmin<E extends Endpoint>(endpoint: E, body?: BodyInput<E>): Promise<DataOf<E>>
  signIn(account: string, password: string): Promise<string>
  close(): Promise<void>
}

export interface WorldOptions {
  config?: Partial<Config>
  /** Another server on the same database. */
  databaseUrl?: string
  /** Before it judges other servers. */
  steadyMs?: number
  consoleDir?: string
  /** What it says from the level warn on. */
  said?: (text: string) => void
}

/** Asks for a captcha and reads what its picture shows. */
export async function solveCaptcha(world: World): Promise<{ code: string; codeID: string }> {
  const { data } = await world.call(getCaptcha, { type: 'image', use: 'login' })
  const { answer } = await world.db
    .selectFrom('captcha')
    .select('answer')
    .where('code_id', '=', data.codeID)
    .executeTakeFirstOrThrow()
  return { code: answer, codeID: data.codeID }
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => {} }
    : await makeScratchDatabase(inject('databaseUrl'), inject('openedTemplate'))
  const { said } = options
  const clock = makeTestClock()
  const filesDir = await mkdtemp(join(tmpdir(), 'ithings-files-'))
  const config = testConfig(filesDir, options.config)
  const app = await buildApp({
    config,
    databaseUrl: database.url,
    clock,
    steadyMs: options.steadyMs,
    log: said ? pino({ level: 'warn' }, { write: (line) => said(JSON.parse(line).msg) }) : pino({ level: 'silent' }),
    ...(options.consoleDir ? { consoleDir: options.consoleDir } : {}),
  })

  const world: World = {
    app,
    db: app.db,
    url: database.url,
    clock,
    admin: '',
    async call(endpoint, body = {}, { token, headers, ip } = {}) {
      const response = await app.http.inject({
        method: 'POST',
        url: endpoint.path,
        headers: {
          'content-type': 'application/json',
          ...(token ? { 'iThings-token': token } : {}),
          ...(ip ? { 'x-forwarded-for': ip } : {}),
          ...headers,
        },
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      })
      const parsed = response.json() as Record<string, unknown>
      checkResponse(endpoint.path, response.statusCode, parsed)
      return {
        status: response.statusCode,
        code: parsed.code as number,
        msg: parsed.msg as string,
        data: parsed.data as DataOf<typeof endpoint>,
        headers: response.headers,
        body: parsed,
      }
    },
    async asAdmin(endpoint, body) {
      const result = await world.call(endpoint, body ?? {}, { token: world.admin })
      if (result.code !== 200) throw new Error(`${endpoint.path}: ${result.code} ${result.msg}`)
      return result.data
    },
    async signIn(account, password) {
      const captcha = config.captcha ? await solveCaptcha(world) : {}
      const result = await world.call(login, { account, password, pwdType: 1, loginType: 'pwd', ...captcha })
      if (result.code !== 200) throw new Error(`sign-in of ${account}: ${result.code} ${result.msg}`)
      return result.data.token.accessToken
    },
    async close() {
      await app.close()
      await database.drop()
      await rm(filesDir, { recursive: true, force: true })
    },
  }
  world.admin = await world.signIn(adminName, adminPassword)
  return world
}

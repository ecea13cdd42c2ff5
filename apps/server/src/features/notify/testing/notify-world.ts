/** Notifications on a database of their own, without the app: its outbox would take part in the work. */

import { tmpdir } from 'node:os'
import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { inject } from 'vitest'
import { connect } from '#db/connect.ts'
import type { Db } from '#db/schema.ts'
import { makeDiskFiles } from '#engines/disk-files/disk-files.ts'
import { makeTestBackground } from '#testing/background.ts'
import { said } from '#testing/said.ts'
import { makeScratchDatabase } from '#testing/scratch-database.ts'
import { testKeys } from '#testing/test-config.ts'
import { makeTestClock, type TestClock } from '#testing/world.ts'
import { makeNotifyDeps, type NotifyParts } from '../make-notify-deps.ts'
import type { NotifyDeps } from '../notify-deps.ts'
import { makeOutbox, type Outbox, type OutboxLimits } from '../outbox.ts'
import { notifyRoutes } from '../routes.ts'

export interface NotifyServer {
  deps: NotifyDeps
  outbox: Outbox
  metrics: Registry
}

export interface NotifyWorld {
  db: Db
  clock: TestClock
  deps: NotifyDeps
  /** One of the servers that share the database; not started. */
  addServer(parts?: Partial<NotifyParts>, limits?: Partial<OutboxLimits>): NotifyServer
  /** As the route would: body and answer pass their schemas. */
  call<E extends Endpoint>(endpoint: E, body: BodyInput<E>): Promise<DataOf<E>>
  close(): Promise<void>
}

export async function openNotifyWorld(parts: Partial<NotifyParts> = {}): Promise<NotifyWorld> {
  const database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  const connection = connect(database.url, () => undefined, 20, testKeys)
  const { db } = connection
  const clock = makeTestClock()
  const servers: NotifyServer[] = []

  const addServer: NotifyWorld['addServer'] = (more = {}, limits = {}) => {
    const metrics = new Registry()
    const deps = makeNotifyDeps({
      db,
      clock,
      log: pino({ level: 'silent' }),
      background: makeTestBackground(clock),
      metrics,
      files: makeDiskFiles(tmpdir()),
      smtpUrl: undefined,
      webhookAllow: ['127.0.0.0/8'],
      usersOfChannel: async () => [],
      timeoutMs: 60_000,
      ...parts,
      ...more,
    })
    const server = { deps, outbox: makeOutbox(deps, { lookEveryMs: 20, ...limits }), metrics }
    servers.push(server)
    return server
  }

  const { deps } = addServer()
  const routes = notifyRoutes(deps)
  return {
    db,
    clock,
    deps,
    addServer,
    async call(endpoint, body) {
      const route = routes.find((one) => one.endpoint === endpoint)
      if (!route) throw new Error(`${endpoint.path} is not mounted`)
      const context = { requestID: '', ip: '', userAgent: '', log: deps.log, user: undefined }
      const input: unknown = endpoint.body.parse(body)
      return said(endpoint.data.parse(await route.run(input, context as never))) as DataOf<typeof endpoint>
    },
    async close() {
      for (const server of servers) {
        await server.outbox.stop()
        server.deps.close()
      }
      await connection.close()
      await database.drop()
    },
  }
}

import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makeHttpServer } from './server.ts'

test('a call that is answered while the server closes is answered, and its connection is not waited for', async () => {
  const http = await makeHttpServer({
    log: pino({ level: 'silent' }),
    trustProxy: false,
    corsOrigins: [],
    tls: undefined,
  })
  const work = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  http.get('/slow', async () => {
    begun.resolve()
    return { said: await work.promise }
  })
  const closing = Promise.withResolvers<void>()
  http.addHook('preClose', async () => closing.resolve())
  await http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = http.server.address() as AddressInfo
  const called = fetch(`http://127.0.0.1:${port}/slow`)
  await begun.promise
  const closed = http.close()
  await closing.promise
  work.resolve('done')
  const response = await called
  expect(await response.json()).toEqual({ said: 'done' })
  expect(response.headers.get('connection')).toBe('close')
  await closed
}, 10_000)

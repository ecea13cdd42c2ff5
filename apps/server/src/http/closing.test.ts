import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makeHttpServer } from './server.ts'
import { asTransfer } from './transfers.ts'

const open = () =>
  makeHttpServer({ log: pino({ level: 'silent' }), trustProxy: false, corsOrigins: [], tls: undefined })

test('a call that is answered while the server closes is answered, and its connection is not waited for', async () => {
  const http = await open()
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
})

test('a large file that is under way is cut off, and does not hold the closing', async () => {
  const http = await open()
  const endless = async function* () {
    for (;;) yield Buffer.alloc(1024)
  }
  http.get('/large', async (request, reply) => {
    asTransfer(request)
    return reply.type('application/octet-stream').send(Readable.from(endless(), { objectMode: false }))
  })
  const base = await http.listen({ host: '127.0.0.1', port: 0 })
  const response = await fetch(`${base}/large`, { headers: { 'accept-encoding': 'identity' } })
  const received = response.arrayBuffer().catch((error: unknown) => error)
  await http.close()
  expect(await received).toBeInstanceOf(Error)
})

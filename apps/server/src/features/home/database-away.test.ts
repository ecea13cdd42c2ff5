/** The database goes away under a large screen that is watched, and comes back. */
import type { AddressInfo } from 'node:net'
import { homeTopic, readHomeSummary } from '@ithings/contract/features/home.ts'
import { type LiveNotice, liveProtocol } from '@ithings/contract/features/live.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { adminQuery } from '#testing/scratch-database.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ config: { databaseUrl: 'given' } })
  await world.app.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => world.close())

const today = async () => (await world.asAdmin(readHomeSummary)).messages.today

test('the screen that is open hears and counts again, without anybody doing anything', async () => {
  const key = await makeDevice(world, await makeFullProduct(world))
  const name = /\/(test_db_\w+)/.exec(world.url)?.[1] ?? ''
  const { port } = world.app.http.server.address() as AddressInfo
  const heard: LiveNotice[] = []
  const screen = new WebSocket(`ws://127.0.0.1:${port}/api/v1/live`, [liveProtocol, world.admin])
  screen.on('message', (text) => void heard.push(JSON.parse(String(text)) as LiveNotice))
  screen.on('open', () => screen.send(JSON.stringify({ op: 'sub', topic: homeTopic })))
  await expect.poll(() => heard.length).toBeGreaterThan(0)
  const report = async () => {
    const device = await connectDevice(world, key)
    await device.ask('thing/property', { method: 'report', params: { temp: 1 } })
    await device.end()
  }
  await report()
  await expect.poll(today).toBe(1)

  const server = inject('databaseUrl')
  await adminQuery(server, `alter database ${name} allow_connections false`)
  await adminQuery(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await expect.poll(async () => (await world.call(readHomeSummary, {}, { token: world.admin })).status).toBe(503)
  await adminQuery(server, `alter database ${name} allow_connections true`)

  await expect.poll(() => today().catch(() => -1)).toBe(1)
  const before = heard.length
  await expect.poll(() => report().then(() => 'reported', String)).toBe('reported')
  await expect.poll(() => heard.slice(before)).toContainEqual(expect.objectContaining({ topic: homeTopic }))
  await expect.poll(today).toBe(2)
  expect(screen.readyState).toBe(WebSocket.OPEN)
  screen.terminate()
})

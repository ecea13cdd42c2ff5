/** A server beside a real RabbitMQ: what a mosquitto is tried with at length (upstream.test.ts), where the two differ. */
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { eventually } from '#testing/eventually.ts'
import type { Mosquitto } from '#testing/mosquitto.ts'
import { connectDevice, type TestDevice } from '#testing/mqtt-device.ts'
import { startRabbitmq, withoutRabbitmq } from '#testing/rabbitmq.ts'
import { testKeys } from '#testing/test-config.ts'
import { metricOf, readiness, upstreamSettings } from '#testing/upstream.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, makeFullProduct } from '#uplink/testing/full-product.ts'

describe.skipIf(withoutRabbitmq)('beside a RabbitMQ', () => {
  let rabbit: Mosquitto
  let world: World
  let device: TestDevice
  const closers: Array<() => Promise<void>> = []
  const up = { status: 200, upstream: 'up' }

  beforeAll(async () => {
    rabbit = await startRabbitmq((close) => void closers.push(close))
    world = await openWorld({ config: { upstream: upstreamSettings(rabbit.url) } })
    closers.push(() => world.close())
    const key = await makeDevice(world, await makeFullProduct(world))
    await eventually(async () => expect(await readiness(world)).toEqual(up))
    const { username, password } = new URL(rabbit.url)
    device = await connectDevice(world, key, { url: rabbit.url, clientId: 'device', username, password })
    closers.push(() => device.end())
  })
  afterAll(async () => {
    for (const close of closers.toReversed()) await close()
  })

  const report = (level: number) => ({ method: 'report', clientToken: `r${level}`, params: { level } })
  const levels = async () => (await addedBy(world, device.key)).flatMap(({ level }) => level ?? [])

  test('a report is stored and answered, a command is sent and its reply heard', async () => {
    expect(await device.ask('thing/property', report(1))).toMatchObject({ code: 200 })
    await expect.poll(async () => (await world.asAdmin(readDevice, device.key)).isOnline).toBe(1)
    const called = world.call(sendProperty, { ...device.key, data: '{"power":1}' }, { token: world.admin })
    const { clientToken } = await device.next('thing/property', ({ method }) => method === 'control')
    await device.publish('thing/property', { method: 'controlReply', clientToken, code: 200 })
    expect((await called).code).toBe(200)
  })

  test('what could not be stored is not acknowledged, and comes again until it is, stored once', async () => {
    const taken = () => metricOf(world, 'ithings_upstream_messages_total{result="taken"}')
    const before = await taken()
    const other = connect(world.url, () => {}, 2, testKeys)
    await other.db.transaction().execute(async (db) => {
      await sql`lock table journal in access exclusive mode`.execute(db)
      for (const level of [2, 3]) await device.publish('thing/property', report(level))
      await expect.poll(taken).toBeGreaterThanOrEqual(before + 4)
    })
    await other.close()
    await device.next('thing/property', ({ clientToken }) => clientToken === 'r3')
    await expect.poll(() => metricOf(world, 'ithings_upstream{what="inflight"}')).toBe(0)
    expect((await levels()).toSorted()).toEqual([1, 2, 3])
  })

  test('when it stops the server says so, and goes on when it is back', async () => {
    await rabbit.stop()
    await expect.poll(async () => (await readiness(world)).status).toBe(503)
    await rabbit.startAgain()
    await expect.poll(() => readiness(world)).toEqual(up)
  })
})

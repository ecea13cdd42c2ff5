/** Two servers on one database whose notices go through a real NATS. */

import { readCluster } from '@ithings/contract/features/cluster.ts'
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { listUsers, logout } from '@ithings/contract/features/users.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readNatsUrl } from '#engines/nats-signal/nats-address.ts'
import { makeLampProduct } from '#features/commands/testing/commands-server.ts'
import { connectDevice } from '#features/commands/testing/mqtt-device.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { type NatsServer, startNats, withoutNats } from '#testing/nats-server.ts'
import { openWorld, type World } from '#testing/world.ts'

describe.skipIf(withoutNats)('two servers with NATS', () => {
  let nats: NatsServer
  let first: World
  let second: World
  const closers: Array<() => Promise<void>> = []

  beforeAll(async () => {
    nats = await startNats((close) => void closers.push(close), ['--user', 'platform', '--pass', 'a secret'])
    const address = readNatsUrl(nats.url.replace('nats://', 'nats://platform:a%20secret@'))
    const config = { databaseUrl: 'given', nats: address }
    first = await openWorld({ config })
    second = await openWorld({ databaseUrl: first.url, config })
  })
  afterAll(async () => {
    await second.close()
    await first.close()
    for (const close of closers) await close()
  })

  const ready = async (world: World) => (await world.app.http.inject({ url: '/readyz' })).statusCode

  test('commands reach devices of the other server, and a device that is disabled there has to go', async () => {
    const productID = await makeLampProduct(first)
    const key = await makeDevice(first, productID)
    const device = await connectDevice(second, key)
    await expect.poll(async () => (await first.asAdmin(readDevice, key)).isOnline).toBe(1)
    const called = first.call(sendProperty, { ...key, data: '{"power":1}' }, { token: first.admin })
    const { clientToken } = await device.next('control')
    await device.say('thing/property', { method: 'control_reply', clientToken, code: 200 })
    expect((await called).code).toBe(200)
    await first.asAdmin(updateDevice, { ...key, isEnable: 2 })
    await expect.poll(async () => (await first.asAdmin(readDevice, key)).isOnline).toBe(2)
    await device.leave()
  })

  test('while NATS hangs the servers say that they are not ready and ask the database', async () => {
    const token = await second.signIn('administrator', 'Admin-2026')
    const statusOn = async (world: World) => (await world.call(listUsers, {}, { token })).status
    const key = await makeDevice(first, await makeLampProduct(first))
    const device = await connectDevice(second, key)
    const onlineOf = async () => (await first.asAdmin(readDevice, key)).isOnline
    await expect.poll(onlineOf).toBe(1)
    expect([await ready(first), await ready(second), await statusOn(second)]).toEqual([200, 200, 200])
    nats.hang()
    await expect.poll(() => Promise.all([ready(first), ready(second)])).toEqual([503, 503])
    // Devices and people can stay: what notices would have told is asked from the database.
    expect((await first.app.http.inject({ url: '/readyz?exclude=signal' })).statusCode).toBe(200)
    expect((await first.call(logout, {}, { token })).code).toBe(200)
    expect(await statusOn(second)).toBe(401)
    // It is connected to the other server, which no notice reaches.
    await first.asAdmin(updateDevice, { ...key, isEnable: 2 })
    await expect.poll(onlineOf).toBe(2)
    await device.leave()
    nats.goOn()
    await expect.poll(() => Promise.all([ready(first), ready(second)])).toEqual([200, 200])
  })

  test('a server without NATS says so at its start and on the screen; none is ready until it has gone', async () => {
    const said: string[] = []
    const third = await openWorld({
      databaseUrl: first.url,
      config: { databaseUrl: 'given' },
      said: (text) => said.push(text),
    })
    const { host } = new URL(nats.url)
    try {
      expect(said.filter((text) => text.includes('NATS'))).toEqual([
        expect.stringMatching(
          /^NATS_URL is not set here and 127\.0\.0\.1:\d+ on server 0 \(.+\), 127\.0\.0\.1:\d+ on server 1 \(.+\): notices/,
        ),
      ])
      expect(said.join()).not.toContain('secret')
      await expect.poll(() => Promise.all([first, second, third].map(ready))).toEqual([503, 503, 503])
      // Devices and people can stay, as when NATS is away.
      for (const world of [first, third])
        expect((await world.app.http.inject({ url: '/readyz?exclude=signal' })).statusCode).toBe(200)
      const { disagreements } = await first.asAdmin(readCluster)
      expect(disagreements.map(({ setting }) => setting)).toEqual(['NATS_URL'])
      expect(disagreements[0]?.list.map(({ value }) => value).sort()).toEqual(['', host, host])
      // What one of them knows better is asked from the database.
      const token = await first.signIn('administrator', 'Admin-2026')
      expect((await third.call(listUsers, {}, { token })).status).toBe(200)
      expect((await first.call(logout, {}, { token })).code).toBe(200)
      expect((await third.call(listUsers, {}, { token })).status).toBe(401)
    } finally {
      await third.close()
    }
    // What it told of itself counts for three beats; this test does not wait for them.
    await sql`delete from platform_server where facts -> 'settings' ->> 'NATS_URL' = ''`.execute(first.db)
    await expect.poll(() => Promise.all([ready(first), ready(second)])).toEqual([200, 200])
    expect((await first.asAdmin(readCluster)).disagreements).toEqual([])
  })

  test('a server that may not use NATS does not start, and says why without the password', async () => {
    const address = readNatsUrl(nats.url.replace('nats://', 'nats://platform:wrong@'))
    const opened = openWorld({ databaseUrl: first.url, config: { databaseUrl: 'given', nats: address } })
    await expect(opened).rejects.toThrow(/^NATS_URL: none of the servers 127\.0\.0\.1:\d+ can be used: .*uthorization/)
  })
})

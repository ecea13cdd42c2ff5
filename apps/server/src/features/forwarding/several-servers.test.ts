/** Several servers share the rules; who dies is replaced, and what was acknowledged arrives. */
import { readForward } from '@ithings/contract/features/forwarding/rules.ts'
import { expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { eventually } from '#testing/eventually.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { uniqueText } from '#testing/people.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'
import { makeRule, openForwardWorld, openTaker, type Sent, sentTo } from './testing/forward-world.ts'

const config = { databaseUrl: 'shared' }

test('one server has a rule and sends what devices say to any of them; another takes it over', async () => {
  const [stays, receiver] = [await openForwardWorld({ config }), await openTaker()]
  const stops = await openForwardWorld({ config, databaseUrl: stays.url })
  try {
    const productID = await makeFullProduct(stays)
    const keys = [await makeDevice(stays, productID), await makeDevice(stays, productID)]
    const paths = ['/a', '/b', '/c']
    const ids = await Promise.all(
      paths.map((path) =>
        makeRule(stays, receiver, { target: { type: 'webhook', url: receiver.url + path, batch: 100 } }),
      ),
    )
    const owners = async () =>
      (await stays.db.selectFrom('forward_state').select('owner').execute()).map(({ owner }) => owner)
    await eventually(async () => expect(await owners()).not.toContain(''))
    const here = await connectDevice(stays, keys[0] ?? { productID, deviceName: '' })
    const there = await connectDevice(stops, keys[1] ?? { productID, deviceName: '' })
    const report = (device: typeof here, level: number) =>
      device.publish('thing/property', { method: 'report', clientToken: uniqueText('c'), params: { level } })
    for (const level of [1, 2, 3]) await Promise.all([report(here, level), report(there, level)])
    await eventually(() => expect(sentTo(receiver)).toHaveLength(6 * ids.length))
    await stops.close()
    for (const level of [4, 5]) await report(here, level)
    await eventually(() => expect(sentTo(receiver)).toHaveLength(8 * ids.length))
    await eventually(async () => expect(new Set(await owners()).size).toBe(1))
    const last = await stays.asAdmin(readForward, { id: ids[0] ?? 0 })
    expect(last.error).toBe('')
    for (const path of paths) {
      const sent = receiver.received
        .filter((one) => one.path === path)
        .flatMap(({ body }) => JSON.parse(body) as Sent[])
      const own = sent.filter(({ deviceName }) => deviceName === keys[0]?.deviceName)
      expect(own.map(({ data }) => data.level)).toEqual([1, 2, 3, 4, 5])
    }
  } finally {
    await stays.close()
    await receiver.close()
  }
})

test('whoever lost a rule writes nothing any more: the newer one counts', async () => {
  const [world, receiver] = [await openForwardWorld({ config }), await openTaker()]
  try {
    const id = await makeRule(world, receiver)
    const state = () =>
      world.db.selectFrom('forward_state').selectAll().where('rule_id', '=', id).executeTakeFirstOrThrow()
    await eventually(async () => expect((await state()).owner).not.toBe(''))
    const lease = new Date(Date.now() + 3_600_000)
    const stolen = { owner: 'another', turn: 100, lease_until: lease, error: 'mine' }
    await world.db.updateTable('forward_state').set(stolen).where('rule_id', '=', id).execute()
    const productID = await makeFullProduct(world)
    const device = await connectDevice(world, await makeDevice(world, productID))
    // A rule of its own tells when the other one has had its chance.
    const other = await openTaker()
    await makeRule(world, other)
    await device.publish('thing/property', { method: 'report', clientToken: 'x', params: { level: 1 } })
    await eventually(() => expect(sentTo(other)).toHaveLength(1))
    expect(await state()).toMatchObject({ owner: 'another', turn: 100, error: 'mine' })
    await world.db
      .updateTable('forward_state')
      .set({ lease_until: new Date(0) })
      .where('rule_id', '=', id)
      .execute()
    await eventually(() => expect(sentTo(receiver).length).toBeGreaterThan(0))
    expect((await state()).turn).toBeGreaterThan(100)
    await other.close()
  } finally {
    await world.close()
    await receiver.close()
  }
})

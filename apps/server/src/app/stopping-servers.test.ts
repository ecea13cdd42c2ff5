/** What the others do for a server that stops in good order: its devices that come back nowhere have left. */
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { expect, test } from 'vitest'
import { makeLampProduct } from '#features/commands/testing/commands-server.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { missOthers } from '#testing/miss-others.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { openWorld } from '#testing/world.ts'

const json = JSON.stringify

test('a scene about leaving devices runs once for who does not come back, and not for who does', async () => {
  const config = { databaseUrl: 'shared', drainSeconds: 1 }
  const stays = await openWorld({ config, steadyMs: 0 })
  const stops = await openWorld({ config, databaseUrl: stays.url })
  try {
    const productID = await makeLampProduct(stays)
    const { id: sceneID } = await stays.asAdmin(createScene, {
      name: '下线就报',
      triggerType: 'device',
      trigger: json({ device: [{ productID, selector: 'all', operator: 'disConnected' }] }),
      then: json([{ executor: 'alarm', alarm: { mode: 'trigger' } }]),
    })
    const [gone, moves] = [await makeDevice(stays, productID), await makeDevice(stays, productID)]
    const devices = [await connectDevice(stops, gone), await connectDevice(stops, moves)]
    const isOnline = async (key: typeof gone) => (await stays.asAdmin(readDevice, key)).isOnline
    await expect.poll(() => Promise.all([isOnline(gone), isOnline(moves)])).toEqual([1, 1])
    await stops.app.drain()
    await Promise.all(devices.map(({ closed }) => closed))
    const back = await connectDevice(stays, moves)
    await stops.close()
    await missOthers(stays)
    const fired = async () => (await stays.asAdmin(listSceneLogs, { sceneID, fired: 1 })).list
    await expect.poll(fired).toMatchObject([{ deviceName: gone.deviceName }])
    expect(await Promise.all([isOnline(gone), isOnline(moves)])).toEqual([2, 1])
    await back.end()
    // Its own leaving comes after whatever the stop might still have set off.
    await expect
      .poll(async () => (await fired()).map(({ deviceName }) => deviceName).sort())
      .toEqual([gone.deviceName, moves.deviceName].sort())
  } finally {
    await stays.close()
  }
})

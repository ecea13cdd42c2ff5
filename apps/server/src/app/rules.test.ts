/** The rule engine inside the whole application: from a report to a command, and what a stop must not set off. */
import { createAlarm, linkScenes } from '@ithings/contract/features/alarms/config.ts'
import { listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { readTrace } from '@ithings/contract/features/history.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { expect, test } from 'vitest'
import { makeLampProduct } from '#features/commands/testing/commands-server.ts'
import { connectDevice } from '#features/commands/testing/mqtt-device.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { openWorld } from '#testing/world.ts'

const json = JSON.stringify

test('a report fires a scene: the device is commanded, the alarm raised, the trace tells of it', async () => {
  const world = await openWorld()
  const productID = await makeLampProduct(world)
  const key = await makeDevice(world, productID)
  const device = await connectDevice(world, key)
  const { id: sceneID } = await world.asAdmin(createScene, {
    name: '太亮就关',
    triggerType: 'device',
    trigger: json({
      device: [
        {
          productID,
          selector: 'all',
          operator: 'reportProperty',
          operationSchema: { dataID: ['level'], termType: 'gt', values: ['50'] },
        },
      ],
    }),
    then: json([
      {
        executor: 'device',
        device: { productID, selector: 'trigger', type: 'propertyControl', value: json({ power: 0 }) },
      },
      { executor: 'alarm', alarm: { mode: 'trigger' } },
    ]),
  })
  const { id: alarmID } = await world.asAdmin(createAlarm, { name: '太亮', level: 3 })
  await world.asAdmin(linkScenes, { alarmID, sceneIDs: [sceneID] })

  await device.say('thing/property', { method: 'report', clientToken: 'bright', params: { level: 60 } })
  expect(await device.next('control')).toMatchObject({ params: { power: false } })
  await expect
    .poll(async () => (await world.asAdmin(listAlarmRecords, { alarmID })).list)
    .toMatchObject([{ deviceName: key.deviceName, cause: expect.stringMatching(/ > 50.*（实际 60.*）$/) }])
  const readLog = async () => (await world.asAdmin(listSceneLogs, { sceneID, fired: 1 })).list
  const triggerText = expect.stringMatching(/（实际 60.*）$/)
  await expect.poll(readLog).toMatchObject([{ productID, deviceName: key.deviceName, triggerText }])
  const list = await readLog()
  const { scenes } = await world.asAdmin(readTrace, { tranceID: list[0]?.tranceID ?? '' })
  expect(scenes).toMatchObject([{ sceneID, sceneName: '太亮就关', runID: list[0]?.runID }])
  await device.leave()
  await world.close()
})

test('devices that lose their connection because the platform stops set nothing off', async () => {
  const world = await openWorld()
  const productID = await makeLampProduct(world)
  const key = await makeDevice(world, productID)
  await connectDevice(world, key)
  const { id: sceneID } = await world.asAdmin(createScene, {
    name: '下线就报',
    triggerType: 'device',
    trigger: json({ device: [{ productID, selector: 'all', operator: 'disConnected' }] }),
    then: json([{ executor: 'alarm', alarm: { mode: 'trigger' } }]),
  })
  await world.app.close()
  const again = await openWorld({ databaseUrl: world.url })
  expect((await again.asAdmin(listSceneLogs, { sceneID, fired: 1 })).list).toEqual([])
  await again.close()
})

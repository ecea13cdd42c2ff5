/** Things of the demo fleet that pages are opened for, found through the API: nothing relies on their numbers. */
import { listAlarms } from '@ithings/contract/features/alarms/config.ts'
import { listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { listDevices, OnlineState } from '@ithings/contract/features/devices/info.ts'
import { listSubDevices } from '@ithings/contract/features/gateways.ts'
import { listGroups } from '@ithings/contract/features/groups.ts'
import { listOtaTasks } from '@ithings/contract/features/ota/task.ts'
import { DeviceType, listProducts } from '@ithings/contract/features/products.ts'
import { listConfigs } from '@ithings/contract/features/remote-config.ts'
import { listRoles } from '@ithings/contract/features/roles.ts'
import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import { listTasks } from '@ithings/contract/features/tasks.ts'
import type { TriggerType } from '@ithings/contract/rules/scene-limits.ts'
import type { Caller } from './api.ts'

function theFirst<T>(what: string, list: readonly T[]): T {
  const [first] = list
  if (first === undefined) throw new Error(`the platform has no ${what}`)
  return first
}

/** The product of the last upgrade: it has firmware, history, alarms and configurations. */
async function readMain(call: Caller) {
  const { list: upgrades } = await call(listOtaTasks, {})
  const upgrade = theFirst('upgrade', upgrades)
  const { productID } = upgrade
  const { list: products } = await call(listProducts, { productIDs: [productID] })
  const { list: devices } = await call(listDevices, { productID, isOnline: OnlineState.online })
  const { list: configs } = await call(listConfigs, { productID })
  theFirst('remote configuration', configs)
  return { upgrade, product: theFirst('product', products), device: theFirst('device that is online', devices) }
}

async function readGateway(call: Caller) {
  const { list: products } = await call(listProducts, { deviceType: DeviceType.gateway })
  const { productID } = theFirst('gateway product', products)
  const { list } = await call(listDevices, { productID })
  for (const gateway of list) {
    const { deviceName } = gateway
    const bound = await call(listSubDevices, { gateWayProductID: productID, gateWaydeviceName: deviceName })
    if (bound.total > 0) return gateway
  }
  throw new Error('the platform has no gateway with sub-devices')
}

async function readRules(call: Caller) {
  const sceneOf = async (triggerType: TriggerType) =>
    theFirst(`${triggerType} scene`, (await call(listScenes, { triggerType })).list)
  const record = theFirst('alarm record', (await call(listAlarmRecords, {})).list)
  const { list: alarms } = await call(listAlarms, { alarmIDs: [record.alarmID] })
  return {
    scenes: [await sceneOf('device'), await sceneOf('timer'), await sceneOf('manual')],
    record,
    alarm: theFirst('alarm', alarms),
  }
}

export async function readFleetFacts(call: Caller) {
  const { listAll } = await call(listGroups, {})
  const top = theFirst('group', listAll)
  return {
    ...(await readMain(call)),
    ...(await readRules(call)),
    gateway: await readGateway(call),
    group: top,
    task: theFirst('device task', (await call(listTasks, {})).list),
    role: theFirst(
      'role',
      (await call(listRoles, { page: { page: 1, size: 1, orders: [{ field: 'id', sort: 2 }] } })).list,
    ),
  }
}
export type FleetFacts = Awaited<ReturnType<typeof readFleetFacts>>

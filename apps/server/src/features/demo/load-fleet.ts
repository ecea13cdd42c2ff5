/** The loading, step by step; each is done when the next begins, and all of them can be taken away again. */
import type { DemoKit, Loading } from './demo-kit.ts'
import { demoDevices } from './fleet/devices.ts'
import { makeDevices } from './make/devices.ts'
import { makeFigures, settleFigures } from './make/figures.ts'
import { makeGroups } from './make/groups.ts'
import { makeHistory } from './make/history.ts'
import { makeOperations } from './make/operations.ts'
import { makeProducts } from './make/products.ts'
import { makeRecords } from './make/records.ts'
import { makeRules } from './make/rules.ts'

type Progress = (done: number, total: number) => Promise<void>

const historyPortion = 20

/** Virtual devices begin to play when all the rest is there. */
async function goLive({ db, signal }: DemoKit, deviceIDs: number[], productIDs: string[]): Promise<void> {
  await db.updateTable('device').set({ is_simulated: 1 }).where('device_id', 'in', deviceIDs).execute()
  for (const productID of productIDs) await signal.send('device.changed', { productID, deviceName: '' })
}

export async function loadFleet(loading: Loading, progress: Progress): Promise<object> {
  const { kit, now } = loading
  const planned = demoDevices()
  const portions = Math.ceil(planned.length / historyPortion)
  const total = 8 + portions
  let done = 0
  const step = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    await progress(++done, total)
    return result
  }
  await progress(0, total)
  await step(makeProducts(loading))
  const devices = await step(makeDevices(loading, planned))
  const groups = await step(makeGroups(loading, devices))
  for (let at = 0; at < devices.length; at += historyPortion) {
    await step(makeHistory(loading, devices.slice(at, at + historyPortion)))
  }
  const rules = await step(makeRules(loading, groups))
  await step(makeRecords(loading, devices, rules))
  await step(makeOperations(loading, devices))
  await makeFigures(loading, devices)
  const live = devices.filter(({ planned: { state } }) => state === 'live')
  const liveIDs = live.map(({ deviceID }) => deviceID)
  await goLive(kit, liveIDs, [...new Set(live.map(({ planned: { product } }) => product.productID))])
  await kit.db.updateTable('demo').set({ complete: true, loaded_at: now }).execute()
  await step(settleFigures(loading, liveIDs))
  await progress(total, total)
  kit.bus.emit('alarm.changed', { recordIDs: [], opened: false })
  kit.bus.emit('home.changed', {})
  return { devices: devices.length }
}

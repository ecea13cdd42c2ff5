/** A product with one property of every type, events and actions, and the hub log as the tests read it. */
import { updateCustom } from '@ithings/contract/features/scripts.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { said } from '#testing/said.ts'
import type { World } from '#testing/world.ts'

const number = (type: 'int' | 'float', min: number, max: number, start: number) => ({
  type,
  min: String(min),
  max: String(max),
  start: String(start),
  step: '1',
  unit: '',
})

export const fullModel = {
  properties: [
    { identifier: 'power', name: '开关', define: { type: 'bool', mapping: { 0: '关', 1: '开' } }, isUseShadow: true },
    { identifier: 'temp', name: '温度', define: number('float', -50, 100, 20) },
    { identifier: 'level', name: '液位', define: number('int', 0, 100, 10), isUseShadow: true },
    { identifier: 'note', name: '备注', define: { type: 'string', max: '16' } },
    { identifier: 'mode', name: '模式', define: { type: 'enum', mapping: { 2: '夜', 1: '日' } } },
    { identifier: 'since', name: '起始', define: { type: 'timestamp' } },
    {
      identifier: 'place',
      name: '位置',
      define: {
        type: 'struct',
        specs: [
          { identifier: 'row', name: '行', dataType: number('int', 0, 9, 3) },
          { identifier: 'label', name: '标签', dataType: { type: 'string', max: '8' } },
        ],
      },
    },
    { identifier: 'list', name: '列表', define: { type: 'array', arrayInfo: number('int', 0, 9, 0) } },
  ],
  events: [
    {
      identifier: 'overheat',
      name: '过热',
      type: 'alert',
      params: [
        { identifier: 'temp', name: '温度', define: number('float', -50, 100, 0) },
        { identifier: 'note', name: '备注', define: { type: 'string', max: '16' } },
      ],
    },
  ],
  actions: [
    { identifier: 'blink', name: '闪烁', dir: 'down', input: [], output: [] },
    {
      identifier: 'help',
      name: '求助',
      dir: 'up',
      input: [{ identifier: 'reason', name: '原因', define: { type: 'string', max: '16' } }],
      output: [],
    },
  ],
}

type ProductFields = Parameters<typeof makeProduct>[1] & { script?: string }

export async function makeFullProduct(world: World, { script, ...fields }: ProductFields = {}): Promise<string> {
  const productID = await makeProduct(world, fields)
  await world.asAdmin(importTsl, { productID, tsl: JSON.stringify(fullModel) })
  if (script !== undefined) await world.asAdmin(updateCustom, { productID, transformScript: script })
  return productID
}

/** A new device of a new product (or of the one named), connected. */
export async function makeConnected(world: World, fields: ProductFields = {}, of?: string): Promise<TestDevice> {
  const productID = of ?? (await makeFullProduct(world, fields))
  return connectDevice(world, await makeDevice(world, productID))
}

export async function deviceIDOf(world: World, { productID, deviceName }: DeviceKey): Promise<number> {
  const row = await world.db
    .selectFrom('device')
    .select('device_id')
    .where('product_id', '=', productID)
    .where('device_name', '=', deviceName)
    .executeTakeFirstOrThrow()
  return row.device_id
}

/** What the devices said, in the order of receipt, as a Chinese reader has it. */
export async function linesOf(world: World, key: DeviceKey) {
  const rows = await world.db
    .selectFrom('journal')
    .selectAll()
    .where('device_id', '=', await deviceIDOf(world, key))
    .orderBy('at')
    .orderBy('seq')
    .execute()
  return said(rows).filter((row) => row.up)
}

/** Messages that add to the history: reported values and events. */
export const addedBy = async (world: World, key: DeviceKey) => {
  const rows = await linesOf(world, key)
  return rows.filter((row) => row.adds).map((row) => JSON.parse(row.content))
}

/** The line of the message that was refused last. */
export const refusalOf = async (world: World, key: DeviceKey) => {
  const rows = await linesOf(world, key)
  return rows.findLast((row) => row.code !== 200)
}

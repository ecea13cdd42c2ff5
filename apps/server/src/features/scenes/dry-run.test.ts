import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { dryRunScene } from '@ithings/contract/features/scenes/trial.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import type { DeviceKey, TestDevice } from '#testing/mqtt-device.ts'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeConnected, makeFullProduct } from '#uplink/testing/full-product.ts'

let world: World
let productID: string
/** Has said level 60 for real. */
let pump: TestDevice
let other: DeviceKey

beforeAll(async () => {
  world = await openWorld()
  productID = await makeFullProduct(world)
  pump = await makeConnected(world, {}, productID)
  const { deviceName } = await makeDevice(world, productID)
  other = { productID, deviceName }
  await pump.ask('thing/property', { method: 'report', clientToken: 'a', params: { level: 60, place: { row: 4 } } })
})
afterAll(async () => {
  await pump.end()
  await world.close()
})

const hot = (more: object = {}, fields: object = {}) => ({
  productID,
  operator: 'reportProperty',
  operationSchema: { dataID: ['temp'], termType: 'gt', values: ['80'], ...more },
  ...fields,
})
const condition = (deviceName: string, dataID: string[], termType: string, values: string, more: object = {}) => ({
  columnType: 'property',
  columnSchema: { productID, deviceName, dataID, termType, values },
  ...more,
})
const stop = () => ({
  executor: 'device',
  device: { productID, selector: 'trigger', type: 'propertyControl', value: '{"power":0}' },
})

interface Draft {
  trigger?: object[]
  when?: object[]
  then?: object[]
}
const scene = ({ trigger = [hot()], when = [], then = [stop()] }: Draft = {}) => ({
  triggerType: 'device' as const,
  trigger: JSON.stringify(trigger),
  when: JSON.stringify(when),
  then: JSON.stringify(then),
})
const dryRun = (draft: Draft, message: object, key: DeviceKey = pump.key) => {
  const { productID: ofProduct, deviceName } = key
  return world.asAdmin(dryRunScene, { scene: scene(draft), message: { productID: ofProduct, deviceName, ...message } })
}
const refusal = async (draft: Draft, message: object, key: DeviceKey = pump.key) => {
  const body = { scene: scene(draft), message: { ...key, ...message } }
  const { code, msg } = await world.call(dryRunScene, body, { token: world.admin })
  return `${code} ${msg}`
}

describe('a sample that fires', () => {
  test('shows what was seen and what would be done', async () => {
    const result = await dryRun({ when: [condition('', ['level'], 'gt', '50')] }, { params: { temp: 90 } })
    expect(result).toMatchObject({
      fired: true,
      reason: '',
      triggers: [{ text: '温度 > 80', value: '90', ok: true, level: 0 }],
      conditions: [{ text: '液位 > 50', value: '60', ok: true, level: 0 }],
      actions: [{ text: '设置 开关 = 关' }],
    })
    expect(result.latency).toBeLessThan(1_000_000)
  })

  test('the sample counts before what the device said last', async () => {
    const when = [condition('', ['level'], 'gt', '50')]
    const result = await dryRun({ when }, { params: { temp: 90, level: 10 } })
    expect(result).toMatchObject({ fired: false, reason: '条件不满足：液位 > 50（实际 10）', actions: [] })
  })

  test('values are read as the model reads them', async () => {
    expect((await dryRun({}, { params: { temp: '85.5' } })).triggers[0]).toMatchObject({ value: '85.5', ok: true })
  })

  test('what one message cannot show is taken as given and said so', async () => {
    const keep = { stateKeep: { type: 'duration', value: 30, unit: 'seconds' } }
    const result = await dryRun({ trigger: [hot(keep, { once: true, minInterval: 60 })] }, { params: { temp: 90 } })
    expect(result.fired).toBe(true)
    expect(result.triggers.map(({ text, level }) => `${level} ${text}`)).toEqual([
      '0 温度 > 80 持续 30 秒',
      '1 须持续 30 秒（试运行按已持续计）',
      '1 状态恢复前只触发一次（试运行按首次计）',
      '1 两次触发至少间隔 60 秒（试运行按首次计）',
    ])
  })

  test('any one of several triggers is enough', async () => {
    const trigger = [hot(), hot({ dataID: ['level'], termType: 'lt', values: ['20'] })]
    const result = await dryRun({ trigger }, { params: { level: 5 } })
    expect(result.fired).toBe(true)
    expect(result.triggers.map(({ ok }) => ok)).toEqual([false, true])
  })

  test('events, presence and silence', async () => {
    const event = {
      productID,
      operator: 'reportEvent',
      operationSchema: { dataID: ['overheat', 'temp'], termType: 'gt', values: ['90'] },
    }
    const params = { temp: 95, note: '' }
    expect((await dryRun({ trigger: [event] }, { eventID: 'overheat', params })).fired).toBe(true)
    const online = { productID, operator: 'connected' }
    expect((await dryRun({ trigger: [online] }, { online: true })).fired).toBe(true)
    expect((await dryRun({ trigger: [online] }, { online: false })).fired).toBe(false)
    const silent = { productID, operator: 'noReport', operationSchema: { minutes: 10 } }
    expect((await dryRun({ trigger: [silent] }, {})).fired).toBe(true)
  })

  test('nothing is remembered and nothing is done', async () => {
    await dryRun({}, { params: { temp: 99 } })
    expect(await world.db.selectFrom('scene_run').select('run_id').execute()).toEqual([])
    const latest = await world.db.selectFrom('device_latest').select('properties').execute()
    // The value alone: the digits of a time may be any.
    expect(latest.map(({ properties }) => properties.temp?.[0])).not.toContain(99)
  })
})

describe('a sample that does not fire says why', () => {
  test('the value', async () => {
    expect((await dryRun({}, { params: { temp: 70 } })).reason).toBe('触发不满足：温度 > 80（样例为 70）')
  })

  test('another property', async () => {
    expect((await dryRun({}, { params: { level: 5 } })).reason).toBe('触发不满足：温度 > 80（样例消息没有涉及）')
  })

  test('another device', async () => {
    const trigger = [hot({}, { selector: 'fixed', selectorValues: [other.deviceName] })]
    const { reason } = await dryRun({ trigger }, { params: { temp: 90 } })
    expect(reason).toBe(`触发不满足：温度 > 80（不包括设备 ${pump.key.deviceName}）`)
  })

  test('a group counts with the groups below it', async () => {
    const parent = await world.asAdmin(createGroup, { groupName: uniqueText('组') })
    const child = await world.asAdmin(createGroup, { groupName: uniqueText('组'), parentID: parent.groupID })
    const trigger = [hot({}, { selector: 'group', selectorValues: [String(parent.groupID)] })]
    expect((await dryRun({ trigger }, { params: { temp: 90 } })).fired).toBe(false)
    await world.asAdmin(addGroupDevices, { groupID: child.groupID, list: [pump.key] })
    expect((await dryRun({ trigger }, { params: { temp: 90 } })).fired).toBe(true)
  })

  test('another device that never reported', async () => {
    const when = [condition(other.deviceName, ['level'], 'gt', '1')]
    const result = await dryRun({ when }, { params: { temp: 90 } })
    expect(result.fired).toBe(false)
    expect(result.conditions).toMatchObject([{ value: '', ok: false }])
    expect(result.reason).toContain('尚无上报')
  })

  test('a time of the sample', async () => {
    const when = [{ columnType: 'sysTime', columnTime: { type: 'range', start: '09:00', end: '18:00' } }]
    const at = (hour: number) => new Date(2026, 10, 16, hour, 30).getTime()
    expect((await dryRun({ when }, { params: { temp: 90 }, timestamp: at(10) })).fired).toBe(true)
    expect((await dryRun({ when }, { params: { temp: 90 }, timestamp: at(20) })).fired).toBe(false)
  })

  test('something that is gone', async () => {
    const trigger = [hot({ dataID: ['gone'] })]
    expect((await dryRun({ trigger }, { params: { temp: 90 } })).reason).toMatch(/^触发 1：.*没有属性 gone$/)
  })
})

describe('refusals', () => {
  test.each<[string, object, string]>([
    ['a value of another type', { params: { temp: 'hot' } }, 'temp 须为数字'],
    ['a value out of range', { params: { temp: 1000 } }, 'temp 须在 -50–100 之间'],
    ['an unknown property', { params: { gone: 1 } }, '没有属性 gone'],
    ['an unknown event', { eventID: 'gone' }, '没有事件 gone'],
    ['an event without its parameters', { eventID: 'overheat' }, '缺少参数 temp'],
    ['nothing at all', {}, '样例消息是空的'],
  ])('%s', async (_, message, wanted) => expect(await refusal({}, message)).toContain(wanted))

  test('an unknown device', async () => {
    expect(await refusal({}, { params: { temp: 90 } }, { productID, deviceName: 'nobody' })).toContain(
      '没有设备 nobody',
    )
  })

  test('a device scene without a message', async () => {
    const { msg } = await world.call(dryRunScene, { scene: scene() }, { token: world.admin })
    expect(msg).toContain('需要一条样例消息')
  })
})

describe('scenes without a device', () => {
  test('a schedule asks its conditions', async () => {
    const timer = { triggerType: 'timer' as const, trigger: '{"timer":{"cron":"0 0 9 * * ?"}}', then: '[]' }
    const when = (values: string) => JSON.stringify([condition(pump.key.deviceName, ['place', 'row'], 'eq', values)])
    expect(await world.asAdmin(dryRunScene, { scene: { ...timer, when: when('4') } })).toMatchObject({ fired: true })
    expect(await world.asAdmin(dryRunScene, { scene: { ...timer, when: when('5') } })).toMatchObject({ fired: false })
  })

  test('a manual scene does not ask them (rules.md 4)', async () => {
    const when = JSON.stringify([condition(other.deviceName, ['level'], 'gt', '1')])
    const result = await world.asAdmin(dryRunScene, { scene: { triggerType: 'manual', when, then: '[]' } })
    expect(result).toMatchObject({ fired: true, conditions: [] })
  })
})

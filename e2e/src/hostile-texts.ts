/** Texts that a careless page would run, compute or become too wide for, in every field of the API that takes free text. */
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { listAlarms, updateAlarm } from '@ithings/contract/features/alarms/config.ts'
import { dealRecords, listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { createApi } from '@ithings/contract/features/apis.ts'
import { createDevice, readDevice } from '@ithings/contract/features/devices/info.ts'
import { updateGroup } from '@ithings/contract/features/groups.ts'
import { createMenu } from '@ithings/contract/features/menus.ts'
import { createChannel } from '@ithings/contract/features/notify.ts'
import { updateFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { updateProduct } from '@ithings/contract/features/products.ts'
import { createConfig } from '@ithings/contract/features/remote-config.ts'
import { updateRole } from '@ithings/contract/features/roles.ts'
import { readScene, updateScene } from '@ithings/contract/features/scenes/info.ts'
import { updateSettings } from '@ithings/contract/features/settings.ts'
import { createTask, TaskSchedule, TaskTarget, TaskType } from '@ithings/contract/features/tasks.ts'
import { createSchema } from '@ithings/contract/features/thing-model.ts'
import { createUser, updateSelf } from '@ithings/contract/features/users.ts'
import { FunctionType } from '@ithings/contract/thing-model/model.ts'
import type { Page } from 'playwright-core'
import type { Caller } from './api.ts'
import { connectDevice } from './device.ts'
import { type FleetFacts, readFleetFacts } from './fleet-facts.ts'
import type { Platform } from './platform.ts'

const words = [
  '<img src=x onerror=__ran=1>',
  '"><script>__ran=1</script>',
  "'; drop table device; --",
  '{{1234*5678}}\u0024{1234*5678}',
  'javascript:__ran=1',
  '\u202e\u2067turned\u2066',
]
let used = 0

/** Another one each time, all of them where there is room, and without a blank to break it up to its limit. */
function hostile(max: number): string {
  const word = max < 200 ? words[used++ % words.length] : words.join('')
  return `${word}${'W'.repeat(max)}`.slice(0, max)
}

interface Schema {
  type?: string
  maxLength?: number
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  pattern?: string
  format?: string
  enum?: unknown[]
  const?: unknown
}
/** Beyond this a text is a document with a form of its own. */
const longest = 4_000

/** Undefined where no free text is taken. */
function fill(schema: Schema): unknown {
  const { type, anyOf, properties, items, maxLength = 64 } = schema
  if (anyOf) return anyOf.map(fill).find((one) => one !== undefined)
  if (properties) {
    const members = Object.entries(properties).map(([name, member]) => [name, fill(member)] as const)
    const texts = members.filter(([, value]) => value !== undefined)
    return texts.length > 0 ? Object.fromEntries(texts) : undefined
  }
  if (items) {
    const item = fill(items)
    return item === undefined ? undefined : [item]
  }
  const bound = schema.pattern ?? schema.format ?? schema.enum ?? schema.const
  return type === 'string' && bound === undefined && maxLength <= longest ? hostile(maxLength) : undefined
}

/** A new text field is filled by itself; one that takes only some texts is refused here, and is then to be named. */
type Spoil = (endpoint: Endpoint, fixed: Record<string, unknown>) => Promise<unknown>
const spoilBy =
  (call: Caller): Spoil =>
  (endpoint, fixed) => {
    const schema = endpoint.body.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Schema
    return call(endpoint, { ...(fill(schema) as object), ...fixed })
  }

const deviceName = 'hostile'
const affordances: Array<[number, string, unknown]> = [
  [FunctionType.property, 'text', { mode: 'rw', define: { type: 'string', max: '2048' } }],
  [FunctionType.property, 'choice', { mode: 'rw', define: { type: 'enum', mapping: { 1: hostile(20) } } }],
  [
    FunctionType.property,
    'amount',
    { mode: 'rw', define: { type: 'int', min: '0', max: '9', start: '0', step: '1', unit: hostile(12) } },
  ],
  [
    FunctionType.event,
    'outcry',
    { type: 'alert', params: [{ identifier: 'text', name: hostile(60), define: { type: 'string', max: '2048' } }] },
  ],
]

async function spoilThings(spoil: Spoil, { product: { productID }, group }: FleetFacts): Promise<void> {
  await spoil(updateProduct, { productID, productImg: undefined })
  for (const [type, identifier, affordance] of affordances)
    await spoil(createSchema, { productID, type, identifier, affordance: JSON.stringify(affordance) })
  await spoil(createDevice, { productID, deviceName })
  await spoil(updateGroup, { groupID: group.groupID, productID: undefined })
  await spoil(createConfig, { productID, content: JSON.stringify({ [hostile(200)]: hostile(200) }) })
  await spoil(createTask, {
    productID,
    ...{ taskType: TaskType.property, targetType: TaskTarget.devices, deviceNames: [deviceName] },
    ...{ scheduleType: TaskSchedule.now, filter: undefined },
    ...{ data: JSON.stringify({ text: hostile(200) }), actionID: undefined, cron: undefined, inputParams: undefined },
  })
}

async function spoilRules(call: Caller, spoil: Spoil, { scenes, alarm, record, upgrade }: FleetFacts): Promise<void> {
  for (const { id } of scenes) {
    const { triggerType, trigger, when, then } = await call(readScene, { id })
    await spoil(updateScene, { id, triggerType, trigger, when, then })
  }
  await spoil(updateAlarm, { id: alarm.id })
  await spoil(createChannel, { type: 'webhook', settings: { url: 'https://hook.invalid/x' } })
  await spoil(updateFirmware, { firmwareID: upgrade.firmwareID, extData: undefined })
  await spoil(dealRecords, { ids: [record.id] })
}

async function spoilOffice(spoil: Spoil, { role }: FleetFacts): Promise<void> {
  await spoil(updateRole, { id: role.id })
  await spoil(createUser, { userName: 'hostile', password: 'Hostile-123', role: role.id, headImgUrl: undefined })
  await spoil(updateSelf, { headImgUrl: undefined })
  await spoil(createMenu, { path: '/hostile' })
  await spoil(createApi, { route: '/api/hostile', method: 2, businessType: 4 })
  await spoil(updateSettings, { timeZone: '' })
}

/** What a device says is believed by nobody, and shown. */
async function speakAsDevice(platform: Platform, call: Caller, productID: string): Promise<void> {
  const device = await connectDevice(platform, call, { productID, deviceName })
  const text = hostile(300)
  await device.publish('thing/property', {
    method: 'report',
    clientToken: text,
    params: { text, choice: 1, amount: 7 },
  })
  await device.publish('thing/property', { method: 'report', params: { [text]: text, amount: text } })
  await device.publish('thing/property', {
    method: 'reportInfo',
    params: { version: hostile(32), imei: hostile(20), mac: hostile(17), hardInfo: hostile(64), softInfo: hostile(64) },
  })
  await device.publish('thing/event', { method: 'event_post', eventID: 'outcry', type: 'alert', params: { text } })
  await device.publish('thing/property', { method: text, params: text })
  await device.publish('log/report', { method: 'reportInfo', params: [{ logLevel: 2, content: text }] })
}

/** Answers the facts of the fleet as it is afterwards; the device is the one that spoke, the record is dealt with. */
export async function spoilTexts(platform: Platform, call: Caller, facts: FleetFacts): Promise<FleetFacts> {
  const spoil = spoilBy(call)
  const { productID } = facts.product
  await spoilThings(spoil, facts)
  await spoilRules(call, spoil, facts)
  await spoilOffice(spoil, facts)
  await speakAsDevice(platform, call, productID)
  const device = await call(readDevice, { productID, deviceName })
  const { list: alarms } = await call(listAlarms, { alarmIDs: [facts.alarm.id] })
  const { list: records } = await call(listAlarmRecords, { recordIDs: [facts.record.id] })
  const [alarm = facts.alarm] = alarms
  const [record = facts.record] = records
  return { ...(await readFleetFacts(call)), device, alarm, record }
}

/** What a text has become although it should have stayed one. */
export const traceOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const made = [...document.querySelectorAll('img[src="x"], [onerror], [href^="javascript:"]')]
    return [
      ...('__ran' in window ? ['a script ran'] : []),
      ...made.map((element) => `a text became ${element.outerHTML.slice(0, 200)}`),
      ...(document.body.innerText.includes(String(1234 * 5678)) ? ['a text was computed'] : []),
    ]
  })

/** The whole app, a product with a model, devices, and a second "server" that writes the journal like the corridor. */
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import pg from 'pg'
import { Registry } from 'prom-client'
import { PgLatest } from '#engines/pg-journal/latest.ts'
import { packClosedHours } from '#engines/pg-journal/pack.ts'
import { makePgJournal } from '#engines/pg-journal/pg-journal.ts'
import { type JournalEntry, JournalKind } from '#ports/journal.ts'
import { openWorld, type World, type WorldOptions } from '#testing/world.ts'

export const productID = 'P0000histor'
const deviceNames = ['lamp1', 'lamp10', 'lamp2', 'lamp3']

const common = { desc: '', required: false }
const property = (identifier: string, define: object, more: object = {}) => ({
  identifier,
  name: identifier,
  ...common,
  mode: 'rw',
  define,
  isUseShadow: false,
  isNoRecord: false,
  ...more,
})
export const model = {
  version: '1.0',
  properties: [
    property('temp', { type: 'float', min: '-100', max: '100', start: '0', step: '0.1', unit: '℃' }),
    property('on', { type: 'bool', mapping: { 0: '关', 1: '开' } }),
    property('name', { type: 'string', max: '64' }),
    property('place', {
      type: 'struct',
      specs: [
        { identifier: 'x', name: 'x', dataType: { type: 'int', min: '0', max: '9', start: '0', step: '1', unit: '' } },
      ],
    }),
    property('secretly', { type: 'int', min: '0', max: '9', start: '0', step: '1', unit: '' }, { isNoRecord: true }),
  ],
  events: [
    { identifier: 'overheat', name: '过热', ...common, type: 'alert', params: [] },
    { identifier: 'started', name: '启动', ...common, type: 'info', params: [] },
  ],
  actions: [],
  profile: { productID },
}

export interface HistoryRoom {
  world: World
  latest: PgLatest
  deviceID(deviceName: string): number
  add(fields: Partial<JournalEntry>): Promise<JournalEntry>
  report(deviceName: string, values: Record<string, unknown>, at: number, deviceTime?: number): Promise<JournalEntry>
  event(deviceName: string, dataID: string, params: object, fields: Partial<JournalEntry>): Promise<JournalEntry>
  pack(now: number): Promise<void>
  /** Nothing was ever said; packing begins with the hour of `start`. */
  reset(start: number): Promise<void>
  close(): Promise<void>
}

export async function openHistoryRoom(options: WorldOptions = {}): Promise<HistoryRoom> {
  const world = await openWorld(options)
  await world.asAdmin(createProduct, { productID, productName: '历史' })
  await world.asAdmin(importTsl, { productID, tsl: JSON.stringify(model) })
  for (const deviceName of deviceNames) await world.asAdmin(createDevice, { productID, deviceName })
  const rows = await world.db.selectFrom('device').select(['device_id', 'device_name']).execute()
  const ids = new Map(rows.map((row) => [row.device_name, row.device_id]))
  const log = { warn: () => undefined }
  const metrics = new Registry()
  const journal = makePgJournal({ databaseUrl: world.url, nodeNumber: 999, log, metrics })
  await journal.start()
  const pool = new pg.Pool({ connectionString: world.url })
  const latest = new PgLatest({ pool, clock: world.clock, nodeNumber: 999, mostDevices: 1_000, log, metrics })
  await latest.start()
  const deviceID = (deviceName: string) => ids.get(deviceName) ?? 0

  const add = async (fields: Partial<JournalEntry>) => {
    const deviceName = fields.deviceName ?? 'lamp1'
    const entry: JournalEntry = {
      deviceID: deviceID(deviceName),
      productID,
      deviceName,
      logDays: 7,
      at: world.clock.now(),
      seq: journal.nextSeq(),
      kind: JournalKind.property,
      up: true,
      topic: `$thing/up/property/${productID}/${deviceName}`,
      method: 'report',
      token: '',
      code: 200,
      msg: '',
      deviceTime: 0,
      content: '{}',
      dataID: '',
      latency: 1_500,
      values: undefined,
      ...fields,
    }
    await journal.append(entry)
    return entry
  }
  return {
    world,
    latest,
    deviceID,
    add,
    report: (deviceName, values, at, deviceTime = 0) =>
      add({ deviceName, values, content: JSON.stringify(values), at, deviceTime }),
    event: (deviceName, dataID, params, fields) =>
      add({
        deviceName,
        dataID,
        kind: JournalKind.event,
        topic: `$thing/up/event/${productID}/${deviceName}`,
        method: 'event_post',
        content: JSON.stringify(params),
        ...fields,
      }),
    async reset(start) {
      await pool.query('truncate journal, history_day, device_event, sdk_log')
      await pool.query('update pack_state set hour = $1, next_device = 0', [Math.floor(start / 3_600_000)])
    },
    pack: async (now) => void (await packClosedHours(pool, now)),
    async close() {
      await latest.stop()
      await journal.stop()
      await pool.end()
      await world.close()
    },
  }
}

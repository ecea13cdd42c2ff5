/** A plant with devices whose past is written straight into the journal, and the backtest on it. */
import { hourMs } from '@ithings/contract/durations.ts'
import { parseScene } from '@ithings/contract/rules/scene-text.ts'
import pg from 'pg'
import { packClosedHours } from '#engines/pg-journal/pack.ts'
import { makePartitionsAhead } from '#engines/pg-journal/partitions.ts'
import { type JournalEntry, JournalKind } from '#ports/journal.ts'
import { said } from '#testing/said.ts'
import { openWatchRoom } from '../../watch/testing/watch-room.ts'
import { type BacktestDeps, runBacktest } from '../run-backtest.ts'

export interface DraftTexts {
  trigger?: unknown[]
  cron?: string
  when?: unknown[]
}

export const partsOfDraft = ({ trigger = [], cron, when = [] }: DraftTexts) =>
  parseScene({
    triggerType: cron === undefined ? 'device' : 'timer',
    trigger: JSON.stringify(cron === undefined ? { device: trigger } : { timer: { cron } }),
    when: JSON.stringify(when),
  })

export async function openBacktestRoom() {
  const room = await openWatchRoom()
  const server = await room.openServer()
  const { line } = server
  const pool = new pg.Pool({ connectionString: room.url })
  const productID = await room.makeFullProduct()
  const deps: BacktestDeps = { db: room.db, clock: room.clock, products: line.products, history: line.history }
  const devices = [await room.makeDevice(productID), await room.makeDevice(productID)] as const
  type Device = (typeof devices)[number]

  const add = (device: Device, at: number, fields: Partial<JournalEntry>) =>
    line.journal.append({
      deviceID: device.deviceID,
      productID: device.productID,
      deviceName: device.deviceName,
      logDays: 7,
      at,
      seq: line.journal.nextSeq(),
      kind: JournalKind.property,
      up: true,
      topic: '',
      method: 'report',
      token: '',
      code: 200,
      msg: '',
      deviceTime: 0,
      content: '{}',
      dataID: '',
      latency: 1,
      values: undefined,
      ...fields,
    })

  return {
    room,
    deps,
    productID,
    devices,
    add,
    say: (device: Device, at: number, values: Record<string, unknown>) =>
      add(device, at, { values, content: JSON.stringify(values) }),
    event: (device: Device, at: number, eventID: string, params: object) =>
      add(device, at, { kind: JournalKind.event, dataID: eventID, content: JSON.stringify(params) }),
    presence: (device: Device, at: number, online: boolean) =>
      add(device, at, { kind: online ? JournalKind.connected : JournalKind.disconnected }),
    /** Nothing was ever said; packing begins with the hour of `start`. */
    async reset(start: number) {
      await makePartitionsAhead(pool, start)
      await pool.query('truncate journal, history_day, device_event')
      await pool.query(
        'insert into pack_state (hour) values ($1) on conflict (id) do update set hour = $1, next_device = 0',
        [Math.floor(start / hourMs)],
      )
    },
    pack: (now: number) => packClosedHours(pool, now),
    run: async (draft: DraftTexts, from: number, to: number, saved?: DraftTexts) =>
      said(
        await runBacktest(
          deps,
          { name: '', scene: partsOfDraft(draft), saved: saved && partsOfDraft(saved), from, to },
          { signal: new AbortController().signal, progress: async () => {} },
        ),
      ),
    async close() {
      await pool.end()
      await room.close()
    },
  }
}

export type BacktestRoom = Awaited<ReturnType<typeof openBacktestRoom>>

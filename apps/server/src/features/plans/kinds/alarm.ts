/** Alarm configurations. Which scenes raise one is said by the scene. */
import {
  AlarmLevel,
  AlarmStatus,
  alarmInfo,
  createAlarm,
  deleteAlarm,
  listAlarms,
  updateAlarm,
} from '@ithings/contract/features/alarms/config.ts'
import { oneOf, text } from '@ithings/contract/wire.ts'
import * as z from 'zod'
import type { Db } from '#db/schema.ts'
import type { Kind } from './kind.ts'
import { idsOf, namesOf } from './named-ids.ts'
import { readSpec } from './read-spec.ts'

const { channelIDs: _ids, ...settings } = alarmInfo.shape.notify.shape
const notify = z.object({ channels: z.array(text(64, 1)).max(20).default([]), ...settings })
const schema = z.object({
  level: oneOf(AlarmLevel),
  status: oneOf(AlarmStatus).default(AlarmStatus.enabled),
  desc: text(200).default(''),
  notify: notify.prefault({}),
})
type AlarmSpec = z.output<typeof schema>

async function bodyOf(db: Db, spec: AlarmSpec) {
  const { channels, ...rest } = spec.notify
  return { ...spec, notify: { ...rest, channelIDs: await idsOf(db, 'channel', channels) } }
}

export const alarmKind: Kind = {
  kind: 'alarm',
  seenBy: () => ({ endpoint: listAlarms, body: {} }),
  async load(db) {
    const channels = await namesOf(db, 'channel')
    const rows = await db.selectFrom('alarm').selectAll().orderBy('name').execute()
    return rows.map(({ id, name, level, status, description: desc, notify: stored }) => {
      // Rows may lack a setting.
      const { channelIDs, ...rest } = alarmInfo.shape.notify.parse(stored)
      const named = channelIDs.flatMap((channelID) => channels.get(channelID) ?? [])
      return { name, id, spec: { level, status, desc, notify: { channels: named, ...rest } } }
    })
  },
  read: async (_db, given) => readSpec(schema, given),
  async create({ ask, db }, name, spec) {
    await ask(createAlarm, { ...(await bodyOf(db, spec as AlarmSpec)), name })
  },
  async update({ ask, db }, { id }, spec) {
    await ask(updateAlarm, { ...(await bodyOf(db, spec as AlarmSpec)), id })
  },
  async remove({ ask }, { id }) {
    await ask(deleteAlarm, { id })
  },
}

/** What a device tells about itself: version, identity, place (device-protocol.md 5 reportInfo). */

import { coordinateSystems, toBd09 } from '@ithings/contract/coordinates.ts'
import { describeError } from '@ithings/contract/describe-issue.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type { Tag } from '@ithings/contract/wire.ts'
import { maxTags } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Common } from '#common-deps.ts'
import type { DeviceRef } from '#ports/event-bus.ts'

/** PostgreSQL keeps neither NUL nor half a surrogate pair. */
const clean = (value: string): string => value.replaceAll('\0', '\ufffd').toWellFormed()
const text = (max: number) => z.string().max(max).transform(clean).optional()
const info = z.object({
  imei: text(64),
  mac: text(64),
  version: text(64),
  hardInfo: text(256),
  softInfo: text(256),
  // The public platform spells it both ways.
  hard_info: text(256),
  soft_info: text(256),
  position: z
    .object({
      coordinateSystem: z.enum(coordinateSystems).default('WGS84'),
      longitude: z.coerce.number().min(-180).max(180),
      latitude: z.coerce.number().min(-90).max(90),
    })
    .optional(),
  tags: z.record(z.string().min(1).max(32), z.string().max(64).transform(clean)).optional(),
})

/** Tags that the device names replace those of the same key; others stay. */
function mergeTags(stored: Tag[], told: Record<string, string>): Tag[] {
  const merged = new Map(stored.map(({ key, value }) => [key, value]))
  for (const [key, value] of Object.entries(told)) merged.set(clean(key), value)
  if (merged.size > maxTags) throw refusal(errors.outOfRange, '标签最多 {maxTags} 个', { maxTags })
  return [...merged].map(([key, value]) => ({ key, value }))
}

export async function reportInfo(
  { db, bus }: Common<'db' | 'bus'>,
  device: DeviceRef,
  params: unknown,
): Promise<{ version: string | undefined }> {
  const parsed = info.safeParse(params ?? {})
  if (!parsed.success) {
    throw new AppError(errors.parameter, { detail: describeError(parsed.error).text.replace(/^请求体/, 'params') })
  }
  const { imei, mac, version, position, tags } = parsed.data
  const hardInfo = parsed.data.hardInfo ?? parsed.data.hard_info
  const softInfo = parsed.data.softInfo ?? parsed.data.soft_info
  const place = position && toBd09(position, position.coordinateSystem)
  await db.transaction().execute(async (db) => {
    const row = await db
      .selectFrom('device')
      .select('tags')
      .where('device_id', '=', device.deviceID)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!row) throw refusal(errors.notFound, '设备 {deviceName} 不存在', { deviceName: device.deviceName })
    const changes = {
      ...(imei === undefined ? {} : { imei }),
      ...(mac === undefined ? {} : { mac }),
      ...(version === undefined ? {} : { version }),
      ...(hardInfo === undefined ? {} : { hard_info: hardInfo }),
      ...(softInfo === undefined ? {} : { soft_info: softInfo }),
      // Positions are kept in BD09, as the console and its maps expect.
      ...(place === undefined ? {} : { longitude: place.longitude, latitude: place.latitude }),
      ...(tags === undefined ? {} : { tags: JSON.stringify(mergeTags(row.tags, tags)) }),
    }
    if (Object.keys(changes).length === 0) throw new AppError(errors.parameter, { detail: 'need add params' })
    await db
      .updateTable('device')
      .set({ ...changes, rev: sql`rev + 1` })
      .where('device_id', '=', device.deviceID)
      .execute()
  })
  bus.emit('device.described', { device })
  return { version }
}

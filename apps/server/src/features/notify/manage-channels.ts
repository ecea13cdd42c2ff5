import { parseInput } from '@ithings/contract/describe-issue.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  channelBody,
  type createChannel as createEndpoint,
  type updateChannel as updateEndpoint,
} from '@ithings/contract/features/notify.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import { places, sealJson } from '#db/sealed.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import { unmaskSettings } from './masked-settings.ts'
import type { NotifyDeps } from './notify-deps.ts'
import { findChannel, nameConflicts, refuseBadHeaders } from './store.ts'

const maxChannels = 500
const namesShown = 5

/** Said when it is saved: an alarm is the wrong moment to learn it. What is stored already may be switched off. */
async function refuseAddress(deps: NotifyDeps, url: string): Promise<void> {
  const detail = await deps.refusalOf(url)
  if (detail) throw new AppError(errors.parameter, { detail, field: 'settings.url' })
}

export async function createChannel(deps: NotifyDeps, input: BodyOutput<typeof createEndpoint>) {
  const { name, type, status, desc, language } = input
  const settings = unmaskSettings(input.settings, undefined)
  refuseBadHeaders(settings)
  await refuseAddress(deps, settings.url)
  return nameConflicts(
    name,
    deps.db.transaction().execute(async (db) => {
      // The count must not change under us.
      await sql`lock table notify_channel in share row exclusive mode`.execute(db)
      const { count } = await db
        .selectFrom('notify_channel')
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      if (count >= maxChannels)
        throw new AppError(errors.quota, { msg: phrase('通知渠道数量已达上限 {maxChannels}', { maxChannels }) })
      return db
        .insertInto('notify_channel')
        .values({
          name,
          type,
          status,
          description: desc,
          language,
          settings: sealJson(db, places.channel, jsonText(settings)),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    }),
  )
}

export async function updateChannel(deps: NotifyDeps, input: BodyOutput<typeof updateEndpoint>) {
  const { id, rev, clearSecret } = input
  if (input.settings) {
    refuseBadHeaders(input.settings)
    const saved = (await findChannel(deps.db, id)).settings
    const { url } = unmaskSettings(input.settings, saved)
    if (url !== saved.url) await refuseAddress(deps, url)
  }
  await nameConflicts(
    input.name ?? '',
    deps.db.transaction().execute(async (db) => {
      const row = await findChannel(db, id, true)
      refuseStaleEdit(rev, row.rev)
      const { name = row.name, type = row.type, status = row.status, desc = row.description } = input
      const { language = row.language } = input
      const settings = input.settings ? unmaskSettings(input.settings, row.settings) : row.settings
      parseInput(channelBody, { name, type, settings })
      // The secret of one kind of channel is none of another.
      const kept = clearSecret || type !== row.type ? '' : row.settings.secret
      await db
        .updateTable('notify_channel')
        .set({
          name,
          type,
          status,
          description: desc,
          language,
          settings: sealJson(db, places.channel, jsonText({ ...settings, secret: settings.secret || kept })),
          rev: sql`rev + 1`,
        })
        .where('id', '=', id)
        .execute()
    }),
  )
}

/** Deliveries that wait have their own copy of the settings and go out still; the log keeps the name. */
export async function deleteChannel({ db: pool, usersOfChannel }: NotifyDeps, { id }: { id: number }) {
  await pool.transaction().execute(async (db) => {
    const row = await findChannel(db, id, true)
    const users = await usersOfChannel(db, id)
    if (users.length > 0) {
      const { name } = row
      const named = users.slice(0, namesShown)
      throw new AppError(errors.notEmpty, {
        msg:
          users.length > namesShown
            ? phrase('渠道「{name}」正被使用：{users}等 {count} 处，请先移除', {
                name,
                users: named,
                count: users.length,
              })
            : phrase('渠道「{name}」正被使用：{users}，请先移除', { name, users: named }),
      })
    }
    await db.deleteFrom('notify_channel').where('id', '=', id).execute()
  })
}

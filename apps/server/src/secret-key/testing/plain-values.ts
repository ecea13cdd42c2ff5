/** One value of every kind that is sealed, as an older version stored it, and how it is read back. */
import { parseScene } from '@ithings/contract/rules/scene-text.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { openReceivers } from '#db/scene-receivers.ts'
import type { Db } from '#db/schema.ts'
import { keysOf, open, openBytes, openJson, places } from '#db/sealed.ts'

const key = { productID: 'P0123456789', deviceName: 'd1' }
const secretOf = (name: string) => Buffer.from(name.padEnd(20, '.')).toString('base64')
const { actions } = parseScene({
  triggerType: 'manual',
  then: JSON.stringify([
    { executor: 'notify', notify: { type: 'webhook', url: 'https://a.invalid/x', secret: 'inline', content: 'c' } },
    { executor: 'delay', delay: { time: 1 } },
  ]),
})
const channel = { url: 'https://b.invalid/y', secret: 'channel', headers: [], to: [], mentions: [] }

export const plainFacts = {
  key,
  facts: {
    secret: secretOf('d1'),
    oldSecret: secretOf('old'),
    productSecret: secretOf('product'),
    devices: 0,
    platformKey: Buffer.alloc(32, 5).toString('hex'),
    totp: Buffer.alloc(20, 6).toString('hex'),
    channel,
    delivery: channel,
    actions,
    plan: actions,
  },
}

/** @param devices with names d1, d2 ... */
export async function insertPlain(client: pg.Client, devices: number): Promise<void> {
  const { facts } = plainFacts
  facts.devices = devices
  const json = JSON.stringify
  await client.query(`insert into product (product_id, product_name, secret, old_secret) values ($1, '水泵', $2, $3)`, [
    key.productID,
    facts.productSecret,
    facts.oldSecret,
  ])
  const names = Array.from({ length: devices }, (_, i) => `d${i + 1}`)
  await client.query(
    `insert into device (product_id, device_name, secret) select $1, * from unnest($2::text[], $3::text[])`,
    [key.productID, names, names.map(secretOf)],
  )
  await client.query(`update device set old_secret = $1 where device_name = 'd1'`, [facts.oldSecret])
  await client.query(
    `insert into platform_key (name, secret) values ('link', decode($1, 'hex'))
     on conflict (name) do update set secret = excluded.secret`,
    [facts.platformKey],
  )
  await client.query(
    `insert into app_user (user_id, user_name, password_hash, role_id, totp_secret) values (900, 'old', '', 1, decode($1, 'hex'))`,
    [facts.totp],
  )
  await client.query(`insert into notify_channel (name, type, settings) values ('渠道', 'webhook', $1)`, [
    json(channel),
  ])
  await client.query(
    `insert into notify_delivery (type, settings, title, content, source, created_at, next_at, state)
     values ('webhook', $1, 't', 'c', 'scene', 0, 9e15, 1), ('webhook', '{}', 't', 'c', 'scene', 0, 0, 2)`,
    [json(channel)],
  )
  await client.query(
    `insert into scene (name, status, trigger_type, trigger, conditions, actions)
     values ('联动', 2, 'manual', '{"device":null,"timer":null}', '[]', $1)`,
    [json(actions)],
  )
  await client.query(
    `insert into scene_run (scene_id, cause, result, trigger_type, plan, fired_at, started_at) values (1, 'a', 3, 'manual', $1, 0, 0)`,
    [json(actions)],
  )
}

/** What they are, whatever they are sealed with. */
export async function openValues(db: Db): Promise<typeof plainFacts.facts> {
  const devices = await db.selectFrom('device').selectAll().orderBy('device_id').execute()
  const opened = devices.map((row) => open(db, places.device(row.product_id, row.device_name), row.secret))
  const [first] = devices
  const product = await db.selectFrom('product').selectAll().executeTakeFirstOrThrow()
  const link = await db.selectFrom('platform_key').selectAll().where('name', '=', 'link').executeTakeFirstOrThrow()
  const user = await db.selectFrom('app_user').selectAll().where('user_id', '=', 900).executeTakeFirstOrThrow()
  const { settings } = await db.selectFrom('notify_channel').select('settings').executeTakeFirstOrThrow()
  const delivery = await db.selectFrom('notify_delivery').select('settings').orderBy('id').executeTakeFirstOrThrow()
  const scene = await db.selectFrom('scene').select('actions').executeTakeFirstOrThrow()
  const run = await db.selectFrom('scene_run').select('plan').executeTakeFirstOrThrow()
  return {
    secret: opened[0] ?? '',
    oldSecret: open(db, places.device(key.productID, key.deviceName), first?.old_secret ?? ''),
    productSecret: open(db, places.product(key.productID), product.secret),
    devices: opened.filter((secret, i) => secret === secretOf(`d${i + 1}`)).length,
    platformKey: openBytes(db, places.platformKey('link'), link.secret).toString('hex'),
    totp: openBytes(db, places.totp(900), user.totp_secret as Buffer).toString('hex'),
    channel: openJson(db, places.channel, settings) as typeof channel,
    delivery: openJson(db, places.delivery, delivery.settings) as typeof channel,
    actions: openReceivers(db, JSON.parse(scene.actions)),
    plan: openReceivers(db, run.plan),
  }
}

/** Values that the newest key did not seal. */
export async function staleValues(db: Db): Promise<string[]> {
  const { prefix } = keysOf(db)
  const stale = (text: string) => sql.raw(`coalesce(${text}, '') <> '' and not starts_with(${text}, '${prefix}')`)
  const { rows } = await sql<{ name: string }>`
    select 'device.secret ' || device_name as name from device where ${stale('secret')}
    union all select 'device.old_secret ' || device_name from device where ${stale('old_secret')}
    union all select 'product.secret' from product where ${stale('secret')}
    union all select 'product.old_secret' from product where ${stale('old_secret')}
    union all select 'platform_key ' || name from platform_key where ${stale(`encode(secret, 'escape')`)}
    union all select 'totp' from app_user where ${stale(`encode(totp_secret, 'escape')`)}
    union all select 'channel' from notify_channel where ${stale(`settings #>> '{}'`)}
    union all select 'delivery' from notify_delivery where settings <> '{}' and ${stale(`settings #>> '{}'`)}
    union all select 'scene' from scene where ${stale(`actions::jsonb #>> '{0,notify,url}'`)} or ${stale(`actions::jsonb #>> '{0,notify,secret}'`)}
    union all select 'run' from scene_run where ${stale(`plan #>> '{0,notify,url}'`)} or ${stale(`plan #>> '{0,notify,secret}'`)}
    order by 1`.execute(db)
  return rows.map((row) => row.name)
}

/** What somebody sees who got hold of the database, or of a copy of it. */

import { multiCreateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { createChannel } from '@ithings/contract/features/notify.ts'
import { AutoRegister, DeviceType } from '@ithings/contract/features/products.ts'
import { createScene, triggerScene } from '@ithings/contract/features/scenes/info.ts'
import { startBacktest } from '@ithings/contract/features/scenes/trial.ts'
import { startSecondFactor } from '@ithings/contract/features/second-factor.ts'
import {
  readDeviceSecret,
  readProductSecret,
  rotateDeviceSecret,
  rotateProductSecret,
} from '@ithings/contract/features/secrets.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice, makeProduct, untilJobEnds } from '#features/devices/testing/make-devices.ts'
import { loadKey } from '#features/users/platform-key.ts'
import { makeSignedIn, testPassword, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeConnected, makeFullProduct } from '#uplink/testing/full-product.ts'

let world: World
let client: pg.Client
beforeAll(async () => {
  world = await openWorld()
  client = new pg.Client({ connectionString: world.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await world.close()
})

/** Every row of every table of every schema as text. */
async function dump(): Promise<Map<string, string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const texts = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
    // Quotes of texts in rows are doubled, and those of JSON in texts are escaped.
    texts.set(name, rows.map(({ row }) => row.replaceAll('\\', '').replaceAll('""', '"')).join('\n'))
  }
  return texts
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** As text, and as whoever stores it without thinking would write it. */
const spellings = (secret: string | Buffer): string[] => {
  const bytes = Buffer.from(secret as string)
  const ways = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]
  return typeof secret === 'string' ? [secret, ...ways, Buffer.from(secret, 'base64').toString('hex')] : ways
}

async function makeSecrets(): Promise<Record<string, string | Buffer>> {
  const productID = await makeProduct(world)
  const key = await makeDevice(world, productID)
  const secretOf = async (device: typeof key) => (await world.asAdmin(readDeviceSecret, device)).secret
  const productSecret = async () => (await world.asAdmin(readProductSecret, { productID })).secret
  const before = { device: await secretOf(key), product: await productSecret() }
  await world.asAdmin(rotateDeviceSecret, { ...key, graceSeconds: 3600 })
  await world.asAdmin(rotateProductSecret, { productID, graceSeconds: 3600 })

  const { jobID } = await world.asAdmin(multiCreateDevices, { productID, prefix: 'many-', count: 2, digits: 1 })
  await untilJobEnds(world, jobID)

  const childProduct = await makeFullProduct(world, {
    deviceType: DeviceType.subDevice,
    autoRegister: AutoRegister.create,
  })
  const gateway = await makeConnected(world, {}, await makeFullProduct(world, { deviceType: DeviceType.gateway }))
  const child = { productID: childProduct, deviceName: uniqueText('child-') }
  await gateway.ask('gateway/operation', { method: 'register', payload: { devices: [child] } })
  await gateway.end()

  // Names of no machine: what goes there waits for another try.
  const settings = {
    url: 'https://hook.invalid/robot/kanalweg-one',
    secret: 'kanal-geheim-one',
    headers: [{ key: 'X-Gate', value: 'kopf-geheim-one' }],
  }
  const channel = await world.asAdmin(createChannel, { name: uniqueText('渠道'), type: 'webhook', settings })
  const inline = { type: 'webhook', url: 'https://hook.invalid/robot/szenenweg-two', secret: 'szenen-geheim-two' }
  const notify = { ...inline, channelIDs: [channel.id], title: 't', content: 'c' }
  const then = JSON.stringify([{ executor: 'notify', notify }])
  const scene = await world.asAdmin(createScene, { name: uniqueText('联动'), triggerType: 'manual', then })
  await world.asAdmin(triggerScene, { id: scene.id })
  const trigger = JSON.stringify({ timer: { cron: '0 0 8 * * *' } })
  const draft = { name: '回测', triggerType: 'timer' as const, trigger, then }
  const now = Date.now()
  await world.asAdmin(startBacktest, { scene: draft, timeStart: now - 3_600_000, timeEnd: now })
  await expect
    .poll(async () => (await client.query(`select from notify_delivery where state = 1 and attempts > 0`)).rowCount)
    .toBe(2)

  const person = await makeSignedIn(world)
  const factor = await world.call(startSecondFactor, { password: testPassword }, person)
  return {
    'device secret': await secretOf(key),
    'device secret before': before.device,
    'secret of one of many devices': await secretOf({ productID, deviceName: 'many-1' }),
    'secret of a registered child': await secretOf(child),
    'product secret': await productSecret(),
    'product secret before': before.product,
    'channel address': 'kanalweg-one',
    'channel secret': settings.secret,
    'channel header': 'kopf-geheim-one',
    'scene address': 'szenenweg-two',
    'scene secret': inline.secret,
    'second factor': fromBase32(factor.data.secret),
    'second factor as text': factor.data.secret,
    'signing key of sessions': Buffer.from(await loadKey(world.db, 'token')),
    'signing key of links': Buffer.from(await loadKey(world.db, 'link')),
    'session token': world.admin,
  }
}

test('no secret is in any column of any table', async () => {
  const secrets = await makeSecrets()
  await world.app.operationLog.flush()
  const texts = await dump()
  expect(texts.get('public.device')).toContain('many-2')
  expect(texts.get('public.operation_log')).toContain('hook.invalid')
  expect(texts.get('public.scene_run')).toContain('s1:')
  const found = Object.entries(secrets).flatMap(([what, secret]) =>
    [...texts].flatMap(([table, text]) =>
      spellings(secret).some((one) => text.includes(one)) ? [`${what}: ${table}`] : [],
    ),
  )
  expect(found).toEqual([])
})

test('a column that sounds like a secret is sealed, or it is known why not', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name ~ 'secret|passw|private|credential|token|totp|key|settings|psk|cert'
       and data_type not in ('smallint', 'integer', 'bigint', 'boolean', 'timestamp with time zone')
     order by 1`,
  )
  const plain: Record<string, string> = {
    'app_user.passkey_handle': 'what authenticators call the user',
    'app_user.password_hash': 'argon2id',
    'config_plan.key_name': 'what the key is called',
    'device.cert': 'the platform issues none, it is always empty',
    'device_command.client_token': 'pairs a reply with its command',
    'device_event.token': 'pairs a reply with its message',
    'device_tag.key': 'the name of a tag',
    'firmware_key.public_key': 'public',
    'journal.token': 'pairs a reply with its message',
    'notify_delivery.once_key': 'tells a repeated notice',
    'passkey.credential_id': 'what authenticators call the passkey',
    'passkey.public_key': 'public',
    'rollout_device.client_token': 'pairs a reply with its command',
    'sign_on_provider.key': 'part of the addresses of a provider',
  }
  const sealed = [
    'app_user.totp_secret',
    'device.old_secret',
    'device.secret',
    'notify_channel.settings',
    'notify_delivery.settings',
    'platform_key.secret',
    'product.old_secret',
    'product.secret',
    'sign_on_provider.client_secret',
    'sign_on_session.id_token',
  ]
  expect(rows.map(({ name }) => name).filter((name) => !plain[name])).toEqual(sealed)
})

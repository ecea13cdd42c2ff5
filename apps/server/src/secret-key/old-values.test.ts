/** A database of an older version, whose secrets are plain, and servers with another key. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readChannel } from '@ithings/contract/features/notify.ts'
import { readScene } from '@ithings/contract/features/scenes/info.ts'
import { readDeviceSecret, readProductSecret } from '@ithings/contract/features/secrets.ts'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { connectDevice } from '#testing/mqtt-device.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { openWorld, type World } from '#testing/world.ts'
import { insertPlain, openValues, plainFacts, staleValues } from './testing/plain-values.ts'

let database: ScratchDatabase
let client: pg.Client
let dataDir: string
const worlds: World[] = []

beforeEach(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  dataDir = await mkdtemp(join(tmpdir(), 'ithings-key-'))
})
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
  await client.end()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const openOn = async (config: Parameters<typeof openWorld>[0] = {}) => {
  const world = await openWorld({ ...config, databaseUrl: database.url })
  worlds.push(world)
  return world
}

test('plain values are read as they are and become sealed, without anything else of their rows changing', async () => {
  await (await openOn()).app.close()
  await client.query('delete from secret_key')
  await insertPlain(client, 1_200)
  // Somebody works on this one for long: it has its turn afterwards.
  await client.query('begin')
  await client.query(`select from device where device_name = 'd7' for update`)
  const world = await openOn()
  const { key, facts } = plainFacts
  expect((await world.asAdmin(readDeviceSecret, key)).secret).toBe(facts.secret)
  expect((await world.asAdmin(readProductSecret, key)).secret).toBe(facts.productSecret)
  await expect.poll(() => staleValues(world.db)).toEqual(['device.old_secret d1', 'device.secret d7'])
  await client.query('commit')
  await expect.poll(() => staleValues(world.db)).toEqual([])

  expect(await openValues(world.db)).toEqual(facts)
  expect((await world.asAdmin(readDeviceSecret, key)).secret).toBe(facts.secret)
  expect((await world.asAdmin(readChannel, { id: 1 })).settings.url).toBe(facts.channel.url)
  expect(JSON.parse((await world.asAdmin(readScene, { id: 1 })).then)).toEqual(facts.actions)
  const device = await connectDevice(world, key)
  await device.end()
  const { rows } = await client.query(`select distinct rev from device`)
  expect(rows).toEqual([{ rev: 1 }])
  await expect.poll(async () => (await client.query(`select from secret_key where swept_at is null`)).rowCount).toBe(0)
})

test('a server with another key does not start, and is told in one sentence what to do', async () => {
  await openOn()
  const sentence =
    /^The secrets in this database are encrypted with the key whose ID is [0-9a-f]{8}, and SECRET_KEY is not that key: set SECRET_KEY to the key of the servers that use this database, or copy their secret\.key to \S+$/
  await expect(openOn({ config: { secretKey: Buffer.alloc(32, 9) } })).rejects.toThrow(sentence)
  // Without a key: none is made up that would not fit.
  const second = openOn({ config: { secretKey: undefined, dataDir } })
  await expect(second).rejects.toThrow(`${dataDir}/secret.key is not that key, or does not exist: set SECRET_KEY`)
  expect(await readdir(dataDir)).toEqual([])
  const named = openOn({ config: { secretKey: undefined, secretKeyFile: `${dataDir}/mounted` } })
  await expect(named).rejects.toThrow(`SECRET_KEY_FILE names ${dataDir}/mounted, which does not exist`)
})

test('without a setting the first start makes a key, and the next one finds it', async () => {
  const config = { secretKey: undefined, dataDir }
  await (await openOn({ config })).app.close()
  expect(await readdir(dataDir)).toContain('secret.key')
  const again = await openOn({ config: { ...config, secretKeyFile: `${dataDir}/secret.key` } })
  expect(again.admin).not.toBe('')
})

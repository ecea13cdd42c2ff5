// Our own export inside one repeatable-read snapshot (decisions.md 3 "Backup").
import { randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createDevice, readDevice } from '@ithings/contract/features/devices/info.ts'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { listMigrations, migrate, migrationsDir } from '#db/migrate.ts'
import { makeS3Files } from '#engines/s3-files/s3-files.ts'
import { type S3Server, startS3Server } from '#engines/s3-files/testing/s3-server.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey } from '#testing/mqtt-device.ts'
import { adminQuery, uniqueName } from '#testing/scratch-database.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'
import { makeProgress } from './progress.ts'
import { openStaging } from './stored-files.ts'
import {
  backUp,
  contentOf,
  copyPlace,
  type MadePlace,
  makeFolder,
  makePlace,
  type Place,
  query,
  restore,
  storeFile,
} from './testing/backup-room.ts'

const firmware = Buffer.alloc(700_000, 'firmware \0\n\t\\ ')

/** Filled once; who needs it has a copy. */
let filled: MadePlace
let key: DeviceKey
const ends: Array<() => Promise<void>> = []
beforeAll(async () => {
  filled = await makePlace('migrated', (end) => void ends.push(end))
  key = await fill(filled)
})
afterAll(async () => {
  for (const end of ends) await end()
})

/** A platform with people, devices, messages, packed history and files; stopped, so that it does not change any more. */
async function fill(place: Place): Promise<DeviceKey> {
  const world = await openAt(place)
  const key = await makeDevice(world, await makeFullProduct(world))
  const device = await connectDevice(world, key)
  for (let n = 0; n < 20; n++) {
    const params = { temp: n / 7, note: `行\n列\t\\N ${n}` }
    await device.publish('thing/property', { method: 'report', clientToken: `t${n}`, params })
  }
  await device.end()
  await world.close()
  await query(
    place,
    `select history_make_part(601);
     insert into history_day (device_id, day, count, kind, property, min, max, times, nums)
       values (1, 18031, 2, 1, 'temp', '-Infinity', 0.1, '{1,2}', '{NaN,0.1}');
     insert into job (job_id, kind, title, status, input, deadline_at, finished_at) values
       ('waits', 'k', E'a\\tb\\nc\\\\d''"', 1, '{"a": "\\u6c34\\n"}', now(), null)`,
  )
  await storeFile(place, `ota/${'a'.repeat(64)}.bin`, firmware)
  await storeFile(place, 'product/image/泵.png', 'picture')
  await storeFile(place, '.part/half', 'an upload on its way')
  return key
}

const openAt = (place: Place): Promise<World> =>
  openWorld({ databaseUrl: place.url, config: { dataDir: place.dataDir, filesDir: place.filesDir } })

describe('a filled platform', () => {
  test('is, after backup and restore, equal in every row, sequence and file, and works', async () => {
    const place = await copyPlace(filled)
    const before = await contentOf(place)
    const tables = Object.values(before).filter((one) => (one as { rows?: number }).rows)
    expect(tables.length).toBeGreaterThan(20)
    const file = await backUp(place)
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect((await stat(file)).size).toBeLessThan(firmware.length)
    expect(await contentOf(place)).toEqual(before)

    const other = await makePlace('empty')
    await restore(other, file)
    expect(await contentOf(other)).toEqual(before)
    expect(before).toHaveProperty(['file product/image/泵.png'])
    expect(before).not.toHaveProperty(['file .part/half'])
    expect(await readdir(other.filesDir)).not.toContainEqual(expect.stringContaining('.restore'))

    // Passwords and keys, secrets of devices, identities and triggers are as before.
    const world = await openAt(other)
    try {
      await world.signIn(adminName, adminPassword)
      const device = await connectDevice(world, key)
      await device.publish('thing/property', { method: 'report', clientToken: 'new', params: { temp: 1 } })
      await device.end()
      await world.asAdmin(createDevice, { productID: key.productID, deviceName: 'afterwards' })
      await world.asAdmin(readDevice, { productID: key.productID, deviceName: 'afterwards' })
      expect(await query(other, 'select sum(devices)::integer as n from device_tally')).toEqual([{ n: 2 }])
      await expect(query(other, 'insert into role_menu values (999, 999)')).rejects.toThrow('foreign key')
    } finally {
      await world.close()
    }
  })

  test('forgets what waited for devices with stored sessions: they have it by now', async () => {
    const place = await copyPlace(filled)
    await query(place, 'insert into mqtt_session (device_id, epoch) select device_id, 1 from device')
    await query(
      place,
      `insert into mqtt_message (device_id, topic, payload, is_sent) select device_id, 'a', 'b', true from mqtt_session`,
    )
    const other = await makePlace('empty')
    await restore(other, await backUp(place))
    expect(await query(other, 'select * from mqtt_session')).toEqual([])
    expect(await query(other, 'select * from mqtt_message')).toEqual([])
  })

  test('that is running is backed up with every message that was acknowledged before, and none half', async () => {
    const place = await makePlace('migrated')
    const world = await openAt(place)
    const device = await connectDevice(world, await makeDevice(world, await makeFullProduct(world)))
    let acknowledged = 0
    let going = true
    const reports = (async () => {
      for (; going; acknowledged++) {
        const message = { method: 'report', clientToken: `n${acknowledged}`, params: { temp: acknowledged % 90 } }
        await device.publish('thing/property', message)
      }
    })()
    await expect.poll(() => acknowledged).toBeGreaterThan(20)
    const beforeSnapshot = acknowledged
    let sentBySnapshot = 0
    const progress = makeProgress((line) => {
      if (line.startsWith('Snapshot')) sentBySnapshot = acknowledged + 1
    })
    const file = await backUp(place, undefined, progress)
    // The platform goes on while and after it is read.
    const afterBackup = acknowledged
    await expect.poll(() => acknowledged).toBeGreaterThan(afterBackup + 5)
    going = false
    await reports
    await device.end()
    await world.close()

    const other = await makePlace('empty')
    await restore(other, file)
    const rows = await query(other, `select token from journal where up and token like 'n%' order by at, seq`)
    expect(rows.map(({ token }) => token)).toEqual(rows.map((_, n) => `n${n}`))
    expect(rows.length).toBeGreaterThanOrEqual(beforeSnapshot)
    expect(rows.length).toBeLessThanOrEqual(sentBySnapshot)
  })
})

describe('files in S3', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server.close())
  const inS3 = async () => ({ ...(await makePlace('empty')), s3: server.place(randomUUID()) })

  test('are backed up and restored like those on a disk, and move from one to the other that way', async () => {
    const place = await copyPlace(filled)
    const before = await contentOf(place)
    const there = await inS3()
    await restore(there, await backUp(place))
    expect(await contentOf(there)).toEqual(before)
    const back = await makePlace('empty')
    await restore(back, await backUp(there))
    expect(await contentOf(back)).toEqual(before)
  })

  test('are replaced with force only, and stay when a restore fails', async () => {
    const place = await copyPlace(filled)
    const file = await backUp(place)
    const there = await inS3()
    const stored = makeS3Files(there.s3)
    await stored.write('old.txt', Readable.from(['old']), 10)
    await expect(restore(there, file)).rejects.toThrow(/^The file storage s3:.* is not empty \(old\.txt\)/)
    const staging = await openStaging(there, () => undefined)
    await expect(staging.add('../out', Readable.from([Buffer.from('x')]))).rejects.toThrow('damaged or incomplete')
    await staging.add('old.txt', Readable.from([Buffer.from('new')]))
    await staging.add('another.txt', Readable.from([Buffer.from('new')]))
    await staging.placeNew()
    await staging.drop()
    const paths = async () => {
      const found: string[] = []
      for await (const { path } of stored.list('')) found.push(path)
      return found
    }
    expect(await paths()).toEqual(['old.txt'])
    expect(await text(stored.read('old.txt'))).toBe('old')
    await restore(there, file, true)
    expect(await contentOf(there)).toEqual(await contentOf(place))
    expect(await paths()).not.toContain('old.txt')
  })
})

describe('what is not a whole backup is refused before anything is touched', () => {
  test('cut, changed, longer, foreign or newer', async () => {
    const source = await makePlace('migrated')
    await storeFile(source, 'a.bin', 'content')
    const whole = await readFile(await backUp(source))
    const target = await makePlace('migrated')
    await storeFile(target, 'kept.txt', 'kept')
    const before = await contentOf(target)
    const file = join(await makeFolder(), 'broken')
    const refused = async (content: Buffer, why: RegExp) => {
      await writeFile(file, content)
      await expect(restore(target, file, true)).rejects.toThrow(why)
    }
    for (const part of [0.1, 0.5, 0.9]) await refused(whole.subarray(0, whole.length * part), /damaged or incomplete/)
    await refused(whole.subarray(0, whole.length - 1), /damaged or incomplete/)
    for (const part of [0.01, 0.3, 0.7, 0.999]) {
      const changed = Buffer.from(whole)
      const at = Math.floor(changed.length * part)
      changed[at] = (changed[at] ?? 0) ^ 1
      await refused(changed, /damaged or incomplete/)
    }
    await refused(Buffer.concat([whole, whole]), /damaged or incomplete/)
    await refused(Buffer.from('PGDMP something else'), /is not a backup of iThings Core/)
    await refused(Buffer.from(''), /is not a backup of iThings Core/)
    await refused(Buffer.from('ithings-core-backup 3 zstd\n'), /newer version/)
    expect(await contentOf(target)).toEqual(before)
  })
})

describe('a database that is not empty', () => {
  test('is refused without force and replaced with it, files too', async () => {
    const source = await makePlace('migrated')
    await storeFile(source, 'same.txt', 'of the backup')
    await storeFile(source, 'new/one.txt', 'new')
    const file = await backUp(source)
    const target = await makePlace('migrated')
    await query(target, `insert into role (name) values ('before'); create schema pgboss; create table pgboss.job ()`)
    await storeFile(target, 'same.txt', 'of before')
    await storeFile(target, 'old/one.txt', 'old')
    const before = await contentOf(target)
    await expect(restore(target, file)).rejects.toThrow('The database is not empty')
    expect(await contentOf(target)).toEqual(before)
    await restore(target, file, true)
    expect(await contentOf(target)).toEqual(await contentOf(source))
  })

  test('keeps everything when the restore fails in the middle', async () => {
    const source = await makePlace('migrated')
    await storeFile(source, 'new.txt', 'new')
    // Whole as a file, but its rows contradict each other.
    await query(
      source,
      `alter table role_menu drop constraint role_menu_role_id_fkey;
      insert into role_menu values (999, 2)`,
    )
    const file = await backUp(source)
    const target = await makePlace('migrated')
    await query(target, `insert into role (name) values ('before')`)
    await storeFile(target, 'old.txt', 'old')
    const before = await contentOf(target)
    await expect(restore(target, file, true)).rejects.toThrow('role_menu_role_id_fkey')
    expect(await contentOf(target)).toEqual(before)
    expect(await readdir(target.filesDir)).toEqual(['old.txt'])
  })

  test('and is of another program is refused with force too', async () => {
    const file = await backUp(await makePlace('migrated'))
    const target = await makePlace('empty')
    await query(target, 'create table accounts (id integer)')
    await expect(restore(target, file, true)).rejects.toThrow('tables of another program (accounts)')
  })

  test('and in use is refused', async () => {
    const file = await backUp(await makePlace('migrated'))
    const target = await makePlace('migrated')
    const world = await openAt(target)
    try {
      await expect(restore(target, file, true)).rejects.toThrow('The database is in use')
    } finally {
      await world.close()
    }
  })

  test('but only files lie there: refused without force', async () => {
    const file = await backUp(await makePlace('migrated'))
    const target = await makePlace('empty')
    await storeFile(target, 'old.txt', 'old')
    await expect(restore(target, file)).rejects.toThrow(/folder of stored files .* is not empty \(old.txt\)/)
  })
})

describe('versions', () => {
  test('a backup of an older version is restored and brought up to date', async () => {
    const old = await makeFolder()
    for (const { version, file } of await listMigrations()) {
      if (version <= 6) await cp(join(migrationsDir, file), join(old, file))
    }
    const source = await makePlace('empty')
    await migrate(source.url, old)
    await query(
      source,
      `insert into product (product_id, product_name, secret) values ('P0123456789', '水泵', 's');
       insert into device (product_id, device_name, secret) values ('P0123456789', 'pump1', 's')`,
    )
    const target = await makePlace('empty')
    await restore(target, await backUp(source))
    const versions = await query(target, 'select version from schema_migration order by version')
    expect(versions.map((row) => row.version)).toEqual((await listMigrations()).map(({ version }) => version))
    // Derived by a later migration from what was loaded.
    expect(await query(target, 'select name from device_text')).toEqual([{ name: 'pump1' }])
    await expect(migrate(target.url)).resolves.toMatchObject({ applied: [] })
  })

  test('a backup of a newer version is refused', async () => {
    const source = await makePlace('migrated')
    await query(source, `insert into schema_migration (version, file) values (9999, '9999_later.sql')`)
    const file = await backUp(source)
    await expect(restore(await makePlace('empty'), file)).rejects.toThrow(/newer version .*9999_later.sql/)
  })

  test('a backup whose schema was made by another text of a migration is refused', async () => {
    const source = await makePlace('migrated')
    await query(source, `update schema_migration set checksum = 'another' where version = 2`)
    const file = await backUp(source)
    await expect(restore(await makePlace('empty'), file)).rejects.toThrow(/another version .*0002_jobs_files.sql/)
  })

  test('a backup of a version that kept no checksums is restored, and the next start takes them', async () => {
    const source = await makePlace('migrated')
    await query(source, 'alter table schema_migration drop column checksum')
    const target = await makePlace('empty')
    await restore(target, await backUp(source))
    await expect(migrate(target.url)).resolves.toMatchObject({ applied: [] })
    expect(await query(target, 'select 1 from schema_migration where checksum is null')).toEqual([])
  })
})

test('an owner of the database without further rights backs up and restores', async () => {
  const name = uniqueName('owner')
  await adminQuery(inject('databaseUrl'), `create role ${name} login password 'plain'`)
  onTestFinished(() => adminQuery(inject('databaseUrl'), `drop role ${name}`))
  const place = await makePlace('empty')
  await query(place, `do $$ begin execute format('alter database %I owner to ${name}', current_database()); end $$`)
  const owned = { ...place, url: place.url.replace(/\/\/[^@]*@/, `//${name}:plain@`) }
  await migrate(owned.url)
  await query(owned, `insert into role (name) values ('kept')`)
  const file = await backUp(owned)
  const before = await contentOf(owned)
  await query(owned, `update role set name = 'lost' where name = 'kept'`)
  await restore(owned, file, true)
  expect(await contentOf(owned)).toEqual(before)
  expect(await query(owned, 'select current_user as name')).toEqual([{ name }])
})

test('work that was running when the backup was made waits for its turn again', async () => {
  const source = await makePlace('migrated')
  await query(
    source,
    `insert into job (job_id, kind, title, status, input, deadline_at) values ('j', 'k', 't', 2, '{}', now())`,
  )
  const target = await makePlace('empty')
  await restore(target, await backUp(source))
  expect(await query(target, 'select status from job')).toEqual([{ status: 1 }])
})

test('other things in a folder that holds data and files at once are neither taken nor removed', async () => {
  const source = await makePlace('migrated')
  const both = { ...source, filesDir: source.dataDir }
  await storeFile(both, 'mqtt/session', 'not a stored file')
  await storeFile(both, 'a.txt', 'a')
  const file = await backUp(both)
  const target = await makePlace('empty')
  const bothThere = { ...target, filesDir: target.dataDir }
  await mkdir(join(target.dataDir, 'postgres'))
  await storeFile(bothThere, 'b.txt', 'b')
  await restore(bothThere, file, true)
  expect((await readdir(target.dataDir)).sort()).toEqual(['a.txt', 'postgres'])
})

/** A rolling upgrade: the program before the newest migration is at work while this one comes to its database. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { listLatest } from '@ithings/contract/features/history.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { listMigrations } from '#db/migrate.ts'
import { makeLampProduct } from '#features/commands/testing/commands-server.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { eventually } from '#testing/eventually.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { history, unpackOlderProgram } from '#testing/older-program.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { adminPassword, testSecretKey } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'

const why = 'without' in history ? ` (skipped: ${history.without})` : ''

describe.skipIf(why !== '')(`an older server and this one on one database${why}`, () => {
  let folder: string
  let database: ScratchDatabase
  let older: ChildProcess
  let printed = ''
  let world: World
  let olderKnows: number

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ithings-older-'))
    olderKnows = await unpackOlderProgram('commit' in history ? history.commit : '', folder)
    database = await makeScratchDatabase(inject('databaseUrl'))
    older = spawn(process.execPath, ['apps/server/src/main.ts'], {
      cwd: folder,
      env: {
        ...process.env,
        LC_ALL: 'C',
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, 'data'),
        SECRET_KEY: testSecretKey.toString('hex'),
        ADMIN_PASSWORD: adminPassword,
        ...{ HOST: '127.0.0.1', PORT: '0', MQTT_PORT: '0', CAPTCHA: 'off' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const note = (chunk: Buffer) => {
      printed += chunk.toString()
    }
    for (const stream of [older.stdout, older.stderr]) stream?.on('data', note)
    await eventually(() => expect(printed).toMatch(/mqtt:\/\/\S+:\d+/))
    world = await openWorld({ config: { databaseUrl: 'shared' }, databaseUrl: database.url })
  })
  afterAll(async () => {
    await world?.close()
    if (older.exitCode === null) {
      older.kill('SIGKILL')
      await once(older, 'exit')
    }
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const portOf = (scheme: string) => Number(new RegExp(`${scheme}://\\S+?:(\\d+)`).exec(printed)?.[1])

  test('both serve devices and each other, and the older one lives on', async () => {
    expect(olderKnows).toBeLessThan((await listMigrations()).at(-1)?.version ?? 0)
    const key = await makeDevice(world, await makeLampProduct(world))
    const isOnline = async () => (await world.asAdmin(readDevice, key)).isOnline
    const report = (power: number) => ({ method: 'report', params: { power } })
    const value = async () => (await world.asAdmin(listLatest, key)).list.find((one) => one.dataID === 'power')?.value

    const there = await connectDevice(world, key, { port: portOf('mqtt') })
    expect((await there.ask('thing/property', report(1))).code).toBe(200)
    await expect.poll(isOnline).toBe(1)
    await expect.poll(value).toBe('true')

    const called = world.call(sendProperty, { ...key, data: '{"power":0}' }, { token: world.admin })
    const { clientToken } = await there.next('thing/property', ({ method }) => method === 'control')
    await there.publish('thing/property', { method: 'control_reply', clientToken, code: 200 })
    expect((await called).code).toBe(200)

    const here = await connectDevice(world, key)
    await there.closed
    expect((await here.ask('thing/property', report(0))).code).toBe(200)
    await expect.poll(value).toBe('false')

    const back = await connectDevice(world, key, { port: portOf('mqtt') })
    await here.closed
    expect((await back.ask('thing/property', report(1))).code).toBe(200)
    await expect.poll(value).toBe('true')
    expect((await fetch(`http://127.0.0.1:${portOf('http')}/readyz`)).status).toBe(200)
    await back.end()
  })
})

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSessionRoom, type SessionRoom } from '#engines/aedes/testing/session-room.ts'
import { downTopic, productID } from '#engines/aedes/testing/test-broker.ts'
import { importLevel } from './import-level.ts'

let room: SessionRoom
let parent: string
let folder: string
const log = pino({ level: 'silent' })
beforeEach(async () => {
  room = await openSessionRoom(['lamp', 'pump'])
  parent = await mkdtemp(join(tmpdir(), 'ithings-level-'))
  folder = join(parent, 'mqtt')
})
afterEach(async () => {
  await room.close()
  await rm(parent, { recursive: true, force: true })
})

const message = (topic: string, payload: string): Buffer => {
  const name = Buffer.from(topic)
  return Buffer.concat([Buffer.of(name.length >> 8, name.length & 255), name, Buffer.from(payload)])
}

/** As the earlier version wrote it. */
async function fill(texts: string[], deviceID = room.idOf('lamp')): Promise<void> {
  const level = new ClassicLevel<string, Buffer>(folder, { valueEncoding: 'buffer' })
  const name = `${productID}/lamp#${deviceID}`
  await level.put(`c\0${name}`, Buffer.from(String(Date.now())))
  await level.put(`s\0${name}\0${downTopic('lamp')}`, Buffer.of(1))
  for (const [n, text] of texts.entries()) {
    await level.put(`q\0${name}\0${(n + 1).toString(36).padStart(11, '0')}`, message(downTopic('lamp'), text))
  }
  await level.close()
}

test('sessions of an earlier version and what waits in them are found by the devices, in order, and the folder goes', async () => {
  const wanted = Array.from({ length: 120 }, (_, n) => `message ${n}`)
  await fill(wanted)
  await importLevel(folder, room.pool, log)
  expect(await readdir(parent)).toEqual([])
  await importLevel(folder, room.pool, log)
  const server = await room.open()
  const client = await server.client('lamp', { clean: false })
  await expect.poll(() => server.received(client).length).toBe(wanted.length)
  expect(server.received(client)).toEqual(wanted)
  await server.stop()
})

test('a session of a device that was made anew stays behind', async () => {
  await fill(['old'])
  await room.remake('lamp')
  await importLevel(folder, room.pool, log)
  expect(await room.count('mqtt_session')).toBe(0)
  expect(await readdir(parent)).toEqual([])
})

test('a damaged folder does not keep the platform from starting', async () => {
  await fill(['1'])
  for (const name of await readdir(folder)) {
    if (/^(MANIFEST|CURRENT)/.test(name)) await writeFile(join(folder, name), 'damaged')
  }
  await importLevel(folder, room.pool, log)
  expect(await readdir(parent)).not.toContain('mqtt')
})

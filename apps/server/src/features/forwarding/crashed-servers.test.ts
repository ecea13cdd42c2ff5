/** kill -9 in the middle of forwarding: a real process, a real receiver, and what devices were acknowledged. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { answerJson, type Reply } from '#features/notify/testing/receiver.ts'
import { eventually } from '#testing/eventually.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { makeScratchDatabase } from '#testing/scratch-database.ts'
import { adminPassword, testSecretKey } from '#testing/test-config.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'
import { makeRule, openForwardWorld, openTaker, sentTo } from './testing/forward-world.ts'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function startServer(databaseUrl: string): Promise<{ child: ChildProcess; mqttPort: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'ithings-crash-'))
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      LC_ALL: 'C',
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      SECRET_KEY: testSecretKey.toString('hex'),
      ADMIN_PASSWORD: adminPassword,
      WEBHOOK_ALLOW: '127.0.0.0/8',
      ...{ HOST: '127.0.0.1', PORT: '0', MQTT_PORT: '0', CAPTCHA: 'off' },
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  })
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  await eventually(() => expect(printed).toMatch(/mqtt:\/\/\S+:\d+/))
  return { child, mqttPort: Number(/mqtt:\/\/\S+?:(\d+)/.exec(printed)?.[1]) }
}

test('after kill -9 the receiver has every message that was acknowledged, each device in order, doubles with their id', async () => {
  const database = await makeScratchDatabase(inject('databaseUrl'), inject('openedTemplate'))
  onTestFinished(() => database.drop())
  const receiver = await openTaker()
  onTestFinished(() => receiver.close())
  receiver.reply = answerJson({}, 503)
  const world = await openForwardWorld({ config: { databaseUrl: 'shared' }, databaseUrl: database.url })
  const productID = await makeFullProduct(world)
  const keys = [
    await makeDevice(world, productID),
    await makeDevice(world, productID),
    await makeDevice(world, productID),
  ]
  await makeRule(world, receiver, { target: { type: 'webhook', url: receiver.url, batch: 20 } })

  const first = await startServer(database.url)
  const levels = Array.from({ length: 100 }, (_, i) => i + 1)
  const devices = await Promise.all(keys.map((key) => connectDevice(world, key, { port: first.mqttPort })))
  await world.close()
  for (const device of devices) {
    await Promise.all(
      levels.map((level) =>
        device.publish('thing/property', { method: 'report', clientToken: `c${level}`, params: { level } }),
      ),
    )
  }

  // It takes three batches, is told nothing of the fourth, and the server is gone.
  let taken = 0
  const killAtFourth: Reply = (response, received) => {
    taken += 1
    if (taken === 4) first.child.kill('SIGKILL')
    if (taken < 4) answerJson({})(response, received)
  }
  receiver.received.length = 0
  receiver.reply = killAtFourth
  if (first.child.signalCode === null) await once(first.child, 'exit')
  const before = sentTo(receiver).map(({ id }) => id)
  expect(before.length).toBeGreaterThan(0)
  expect(before.length).toBeLessThan(3 * levels.length)

  receiver.reply = answerJson({})
  await startServer(database.url)
  await eventually(() => expect(new Set(sentTo(receiver).map(({ id }) => id)).size).toBe(3 * levels.length))
  const sent = sentTo(receiver)
  const unlike = [...new Map(sent.map((message) => [message.id, message])).values()]
  for (const { deviceName } of keys) {
    const own = unlike.filter((message) => message.deviceName === deviceName)
    expect(own.map(({ data }) => data.level)).toEqual(levels)
  }
  // What it had and could not acknowledge came again; a double is the same in every field.
  const doubles = sent.filter(({ id }, index) => sent.findIndex((other) => other.id === id) < index)
  expect(doubles.length).toBeGreaterThan(0)
  for (const double of doubles) expect(sent.find(({ id }) => id === double.id)).toEqual(double)
})

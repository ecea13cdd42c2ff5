/** decisions.md 4: acknowledged means stored, stored once. Server and PostgreSQL are killed while devices report. */
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { listPropertyLog } from '@ithings/contract/features/history.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { connect, type MqttClient } from 'mqtt'
import { afterAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { databasePid } from '#database.ts'
import { credentialsOf } from '#device.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { administrator, knownAdmin } from '#sign-in.ts'
import { patience, soon } from '#visit.ts'

let platform: Platform | undefined
afterAll(async () => {
  if (platform) await discard(platform)
})

const deviceCount = 20
const reportEveryMs = 20
/** Of each device: whoever is told more than it can take in would answer ever later. */
const unansweredAtMost = 10
/** What is killed, one after another: the server, PostgreSQL, both. */
const kills = ['server', 'database', 'both', 'server'] as const
const tsl = JSON.stringify({
  properties: [{ identifier: 'n', name: '序号', mode: 'r', define: { type: 'int', min: '0', max: '1000000000' } }],
})

interface Reporter {
  deviceName: string
  client: MqttClient
  /** Device times whose report was acknowledged. */
  acknowledged: Set<number>
  stop(): Promise<void>
}

/** Reports numbered values with a device time; the client resends by itself what was not acknowledged. */
async function startReporter(call: Caller, url: string, productID: string, deviceName: string): Promise<Reporter> {
  const options = await credentialsOf(call, { productID, deviceName })
  const client = connect(url, { ...options, clean: false, reconnectPeriod: 200, connectTimeout: patience })
  // A killed server refuses connections until it is back.
  client.on('error', () => undefined)
  const acknowledged = new Set<number>()
  let last = Date.now()
  let unanswered = 0
  const timer = setInterval(() => {
    if (!client.connected || unanswered >= unansweredAtMost) return
    unanswered++
    last = Math.max(last + 1, Date.now())
    const time = last
    const report = { method: 'report', clientToken: String(time), timestamp: time, params: { n: acknowledged.size } }
    client.publish(`$thing/up/property/${productID}/${deviceName}`, JSON.stringify(report), { qos: 1 }, (error) => {
      unanswered--
      if (!error) acknowledged.add(time)
    })
  }, reportEveryMs)
  return {
    deviceName,
    client,
    acknowledged,
    async stop() {
      clearInterval(timer)
      // A client that is still sending again what the last blow interrupted would stop in the middle and never end.
      await soon(() => unanswered).toBe(0)
      await client.endAsync()
    },
  }
}

async function storedTimes(call: Caller, productID: string, deviceName: string): Promise<number[]> {
  const { list } = await call(listPropertyLog, {
    productID,
    deviceNames: [deviceName],
    dataID: 'n',
    page: { page: 1, size: 10_000 },
  })
  return list.map((row) => Number(row.timestamp))
}

test('kill -9 of server, PostgreSQL and both: nothing acknowledged is missing, nothing is stored twice', async () => {
  let running = await startPlatform({ ownDatabase: true, env: knownAdmin })
  platform = running
  const env = { PORT: new URL(running.origin).port, MQTT_PORT: new URL(running.mqttUrl).port }
  let call = await makeCaller(running, administrator)
  const { productID } = await call(createProduct, { productName: '断电测试' })
  await call(importTsl, { productID, tsl })
  const reporters: Reporter[] = []
  for (let i = 0; i < deviceCount; i++) {
    await call(createDevice, { productID, deviceName: `d${i}` })
    reporters.push(await startReporter(call, running.mqttUrl, productID, `d${i}`))
  }
  const total = () => reporters.reduce((sum, one) => sum + one.acknowledged.size, 0)
  for (const victim of kills) {
    const before = total()
    // Everybody reports again before the next blow.
    await soon(() => reporters.every((one) => one.client.connected)).toBe(true)
    await soon(total).toBeGreaterThan(before + 20 * deviceCount)
    const database = await databasePid(running)
    if (victim !== 'database') await running.kill('SIGKILL')
    if (victim !== 'server') process.kill(database, 'SIGKILL')
    if (victim !== 'database') {
      running = await startPlatform({ dataDir: running.dataDir, env })
      platform = running
    }
  }
  const atLast = total()
  await soon(total).toBeGreaterThan(atLast + 5 * deviceCount)
  await soon(() => Math.min(...reporters.map((one) => one.acknowledged.size))).toBeGreaterThan(40)
  await Promise.all(reporters.map((one) => one.stop()))

  call = await makeCaller(running, administrator)
  for (const { deviceName, acknowledged } of reporters) {
    const stored = await storedTimes(call, productID, deviceName)
    expect(new Set(stored).size).toBe(stored.length)
    const known = new Set(stored)
    expect([...acknowledged].filter((time) => !known.has(time))).toEqual([])
  }
})

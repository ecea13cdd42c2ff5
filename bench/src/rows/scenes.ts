/** goals.md "Scenes": what ten thousand enabled scenes cost the ingest, and how soon a trigger becomes a command. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { generate, type LoadResult } from '../load/generate.ts'
import { makeAnsweringScene, makeManyScenes } from '../load/scenes.ts'
import { endProcess, makeStations, signIn, startPlatform, stationClient } from '../platform.ts'
import { type Row, row } from '../row.ts'

const quick = process.argv.includes('--quick')
const scenes = 10_000
const devices = 500
const window = 20
const warmUpMs = 5_000
const measureMs = quick ? 10_000 : 30_000
/** With and without in turn, so that a machine that gets slower is slower for both. */
const rounds = quick ? 5 : 3
const steadyRate = 3_000
const triggers = quick ? 200 : 500
/** A scene may run 600 times a minute. */
const everyMs = 110

interface Place {
  databaseUrl: string
  dataDir: string
  productID: string
}

const onPlatform = async <T>({ databaseUrl, dataDir }: Place, work: (port: number) => Promise<T>): Promise<T> => {
  const platform = await startPlatform({ DATABASE_URL: databaseUrl, DATA_DIR: join(dataDir, 'platform') })
  try {
    return await work(platform.mqttPort)
  } finally {
    await endProcess(platform.child)
  }
}

const clientsOf = (productID: string) => Array.from({ length: devices }, (_, i) => stationClient(productID, i))

const ingest = (place: Place): Promise<LoadResult> =>
  onPlatform(place, (port) => generate({ port, clients: clientsOf(place.productID), window, warmUpMs, measureMs }))

/** Milliseconds from the PUBLISH of a report to the command at the device. */
async function answers(port: number, productID: string): Promise<number[]> {
  const { clientID, userName, password, topic } = stationClient(productID, devices)
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { clientId: clientID, username: userName, password })
  await client.subscribeAsync(topic.replace('/up/', '/down/'), { qos: 1 })
  const times: number[] = []
  for (let i = 0; i < triggers; i++) {
    const heard = new Promise<void>((resolve) => {
      const listen = (_: string, payload: Buffer) => {
        const message = JSON.parse(payload.toString()) as { method: string; clientToken: string }
        if (message.method !== 'control') return
        client.off('message', listen)
        const reply = { method: 'control_reply', clientToken: message.clientToken, code: 200 }
        client.publish(topic, JSON.stringify(reply), { qos: 1 })
        resolve()
      }
      client.on('message', listen)
    })
    const begun = performance.now()
    client.publish(topic, JSON.stringify({ method: 'report', clientToken: `a${i}`, params: { level: 5.5 } }), {
      qos: 1,
    })
    await heard
    times.push(performance.now() - begun)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  await client.endAsync()
  return times.sort((a, b) => a - b)
}

/** The median: one round that something else on the machine disturbed does not count. */
const perSecond = (results: LoadResult[]) =>
  results.map((one) => one.perSecond).sort((a, b) => a - b)[results.length >> 1] ?? 0

export async function measureScenes(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-scenes-'))
  await chmod(dataDir, 0o711)
  const server = await startEmbeddedPostgres({ dataDir, tcp: true, log: { info() {}, warn() {} } })
  const databaseUrl = server.connectionString
  const database = new pg.Client({ connectionString: server.adminUrl })
  try {
    await database.connect()
    const place: Place = { databaseUrl, dataDir, productID: '' }
    const first = await startPlatform({ DATABASE_URL: databaseUrl, DATA_DIR: join(dataDir, 'platform') })
    place.productID = await makeStations(await signIn(first.origin), database, devices + 1)
    await endProcess(first.child)

    await makeManyScenes(database, place.productID, scenes, devices)
    const without: LoadResult[] = []
    const withScenes: LoadResult[] = []
    // The first load of all makes the files that the others find: it counts for nobody.
    await ingest(place)
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? [withScenes, without] : [without, withScenes]
      for (const results of order) {
        await database.query(`update scene set status = ${results === withScenes ? 1 : 2}`)
        // What the round before left to be written is not for this one to pay.
        await database.query('checkpoint')
        results.push(await ingest(place))
      }
      console.error(
        `  without ${without.at(-1)?.perSecond.toFixed(0)}, with ${withScenes.at(-1)?.perSecond.toFixed(0)} msg/s`,
      )
    }
    await database.query('update scene set status = 1')

    await makeAnsweringScene(database, place.productID, `d${devices}`)
    const times = await onPlatform(place, async (port) => {
      const load = generate({
        port,
        clients: clientsOf(place.productID),
        rate: steadyRate,
        warmUpMs,
        measureMs: triggers * (everyMs + 20),
      })
      await new Promise((resolve) => setTimeout(resolve, warmUpMs))
      const measured = await answers(port, place.productID)
      await load
      return measured
    })
    const area = 'Scenes'
    return [
      row({
        area,
        what: `ingest with ${scenes} enabled scenes (goal: 0.9 of ${perSecond(without).toFixed(0)} msg/s without)`,
        figure: perSecond(withScenes),
        unit: 'msg/s',
        reference: perSecond(without) * 0.9,
        higherIsBetter: true,
      }),
      row({
        area,
        what: `report to command at the device, p99 of ${triggers}, beside ${steadyRate} msg/s and ${scenes} scenes`,
        figure: times[Math.ceil(times.length * 0.99) - 1] ?? 0,
        unit: 'ms',
        reference: 100,
      }),
    ]
  } finally {
    await database.end()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** What goes on in the cell while its parts fail: reports, commands and scenes, and who watches that nobody is wronged. */
import type pg from 'pg'
import { eventually } from '../../../apps/server/src/testing/eventually.ts'
import { compare, type Reporter, startReporter } from '../load/reporter.ts'
import { makeAnsweringScene } from '../load/scenes.ts'
import { makeStations, openSession } from '../platform.ts'
import type { Cell } from './cell.ts'
import { openDatabase } from './cell-database.ts'
import { type Commands, startCommands } from './commands.ts'
import { chooseDevices } from './spread.ts'

/** Who was connected so long and is shown as offline is wronged: three beats, and what writing takes. */
const shownAfterMs = 20_000

export interface Size {
  devices: number
  everyMs: number
  commandsEveryMs: number
  /** In one report of so many the scene fires; it may run 600 times a minute. */
  markEvery: number
}

/** A device answers what it is asked and counts what scenes asked of it, each command once. */
function answerCommands({ client, name }: Reporter, productID: string): Set<string> {
  const fromScenes = new Set<string>()
  client.on('connect', () => client.subscribe(`$thing/down/property/${productID}/${name}`, { qos: 1 }))
  client.on('message', (_, payload) => {
    const { method, clientToken, params } = JSON.parse(payload.toString())
    if (method !== 'control') return
    if (params.pump_on === false) fromScenes.add(clientToken)
    const reply = JSON.stringify({ method: 'control_reply', clientToken, code: 200 })
    client.publish(`$thing/up/property/${productID}/${name}`, reply, { qos: 1 })
  })
  return fromScenes
}

export interface Life {
  productID: string
  reporters: Reporter[]
  names: string[]
  commands: Commands
  /** Devices that were shown as offline while they were connected. */
  wronged(): string[]
  total(): number
  /** Everything ends; what was promised is compared with what is there. */
  end(): Promise<Found>
}

export interface Found {
  missing: number
  doubled: number
  /** Reports in which the scene fires. */
  marks: number
  runs: number
  /** Those of them without a run: device and time. */
  withoutRun: string[]
  obeyed: number
  tooMany: number
}

/** What a killed server had not looked at is looked at when it is taken for dead, after a minute. */
async function findWithoutRun(
  database: pg.Client,
  productID: string,
  marks: Array<[string, number]>,
): Promise<string[]> {
  const ask = async () => {
    const { rows } = await database.query<{ mark: string }>(
      `select told.device_name || ' ' || told.time as mark from unnest($1::text[], $2::bigint[]) as told (device_name, time)
       where not exists (
         select from journal join device using (device_id)
         join scene_run on trace_id = lpad(to_hex(at), 12, '0') || lpad(to_hex(seq), 10, '0')
         where device.product_id = $3 and device.device_name = told.device_name and device_time = told.time and adds)`,
      [marks.map(([name]) => name), marks.map(([, time]) => time), productID],
    )
    return rows.map(({ mark }) => mark)
  }
  let left: string[] = []
  await eventually(async () => {
    left = await ask()
    if (left.length > 0) throw new Error('some are without a run')
  }).catch(() => undefined)
  return left
}

export async function beginLife(cell: Cell, size: Size): Promise<Life> {
  const origin = `http://127.0.0.1:${cell.balancer.httpPort}`
  const database = await openDatabase(cell)
  const { post } = await openSession(cell.servers[0]?.origin ?? '')
  // So many that each server is dealt a third of those that are needed.
  const candidates = 2 * size.devices + 40
  const productID = await makeStations(post, database, candidates)
  const numbers = await chooseDevices(cell, database, { productID, candidates, devices: size.devices })
  await makeAnsweringScene(database, productID)
  await database.end()
  // Written past the platform: the servers read their scenes at the start.
  for (const server of cell.servers) await server.startAgain()
  await cell.allReady()

  const isMark = (time: number) => time % size.markEvery === 0
  const params = (time: number) => ({ level: isMark(time) ? 5.5 : 1 })
  const reporters = numbers.map((i) =>
    startReporter(cell.balancer.mqttPort, productID, i, { params, everyMs: size.everyMs }),
  )
  const asked = new Map(reporters.map((one) => [one.name, answerCommands(one, productID)]))
  const connectedAt = new Map<string, number>()
  for (const { client, name } of reporters) {
    client.on('connect', () => connectedAt.set(name, performance.now()))
    client.on('close', () => connectedAt.delete(name))
  }
  const wronged = new Set<string>()
  const look = async () => {
    const client = await openDatabase(cell).catch(() => undefined)
    const askedAt = performance.now()
    const { rows = [] } =
      (await client
        ?.query<{ name: string }>('select device_name as name from device where product_id = $1 and is_online = 2', [
          productID,
        ])
        .catch(() => undefined)) ?? {}
    await client?.end().catch(() => undefined)
    for (const { name } of rows) {
      if (askedAt - (connectedAt.get(name) ?? Number.POSITIVE_INFINITY) > shownAfterMs) wronged.add(name)
    }
  }
  const watching = setInterval(() => void look(), 1_000)
  const names = reporters.map((one) => one.name)
  const commands = await startCommands(origin, { productID, names }, size.commandsEveryMs)
  const total = () => reporters.reduce((sum, one) => sum + one.acknowledged.length, 0)

  return {
    ...{ productID, reporters, names, commands, total },
    wronged: () => [...wronged],
    async end() {
      clearInterval(watching)
      await commands.stop()
      await Promise.all(reporters.map((one) => one.stop()))
      const after = await openDatabase(cell)
      try {
        const { missing, doubled } = await compare(after, productID, reporters)
        const marks = reporters.flatMap(({ name, acknowledged }) =>
          acknowledged.filter(isMark).map((time): [string, number] => [name, time]),
        )
        const withoutRun = await findWithoutRun(after, productID, marks)
        const { rows } = await after.query<{ n: string }>('select count(*) as n from scene_run')
        const runs = Number(rows[0]?.n)
        const obeyedBy = ({ name }: Reporter) => asked.get(name)?.size ?? 0
        const sum = (of: (one: Reporter) => number) => reporters.reduce((so, one) => so + of(one), 0)
        const tooMany = sum((one) => Math.max(0, obeyedBy(one) - one.acknowledged.filter(isMark).length))
        return { missing, doubled, marks: marks.length, runs, withoutRun, obeyed: sum(obeyedBy), tooMany }
      } finally {
        await after.end()
      }
    },
  }
}

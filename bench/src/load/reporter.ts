/** Devices that report without end through whatever happens, and whether all that was acknowledged to them is there. */
import { connect, type MqttClient } from 'mqtt'
import type pg from 'pg'
import { stationClient } from '../platform.ts'

/** A device without a clock: so many reports at a time, without timestamp, arrive in the same millisecond. */
const burst = 3

export interface Reporter {
  name: string
  client: MqttClient
  /** The times of its reports, which are their tokens as well. */
  acknowledged: number[]
  /** From now on it reports so often. */
  pace(everyMs: number): void
  /** The longest time without an acknowledgement since `watch` was called. */
  longestGapMs(): number
  watch(): void
  /** Resolves when nothing that was sent waits for its acknowledgement any more. */
  stop(): Promise<void>
}

interface ReporterOptions {
  hasClock?: boolean
  everyMs?: number
  /** What a report says; the time is its token. */
  params?(time: number): Record<string, number>
}

export function startReporter(
  port: number,
  productID: string,
  number: number,
  { hasClock = true, everyMs = 33, params = (time) => ({ level: (time % 600) / 100 }) }: ReporterOptions = {},
): Reporter {
  const { clientID, userName, password, topic } = stationClient(productID, number)
  const client = connect(`mqtt://127.0.0.1:${port}`, {
    clientId: clientID,
    username: userName,
    password,
    clean: false,
    reconnectPeriod: 200,
    // Who is disabled comes again when he may.
    reconnectOnConnackError: true,
    // Who hangs is left after one and a half times this.
    keepalive: 5,
    connectTimeout: 5_000,
  })
  client.on('error', () => undefined)
  const name = `d${number}`
  const acknowledged: number[] = []
  let last = Date.now()
  let underWay = 0
  let heardAt = performance.now()
  let longestGapMs = 0
  const report = () => {
    if (!client.connected) return
    for (let i = 0; i < (hasClock ? 1 : burst); i++) send()
  }
  let timer = setInterval(report, everyMs)
  const pace = (ms: number) => {
    clearInterval(timer)
    timer = setInterval(report, ms)
  }
  const gap = () => Math.max(longestGapMs, performance.now() - heardAt)
  const send = () => {
    last = Math.max(last + 1, Date.now())
    const time = last
    const message = {
      method: 'report',
      clientToken: `${time}`,
      ...(hasClock && { timestamp: time }),
      params: params(time),
    }
    underWay++
    client.publish(topic, JSON.stringify(message), { qos: 1 }, (error) => {
      underWay--
      longestGapMs = gap()
      heardAt = performance.now()
      if (!error) acknowledged.push(time)
    })
  }
  const stop = async () => {
    clearInterval(timer)
    await until(() => underWay === 0, `the last report of ${name} being acknowledged`)
    await client.endAsync()
  }
  const watch = () => {
    heardAt = performance.now()
    longestGapMs = 0
  }
  return { name, client, acknowledged, longestGapMs: gap, pace, watch, stop }
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 300_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`${what} did not happen within five minutes`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** What was acknowledged against what is stored. */
export async function compare(database: pg.Client, productID: string, reporters: Reporter[], burster?: Reporter) {
  const names = reporters.flatMap(({ name, acknowledged }) => acknowledged.map(() => name))
  const times = reporters.flatMap(({ acknowledged }) => acknowledged)
  const missing = await database.query<{ n: string }>(
    `select count(*) as n from unnest($1::text[], $2::bigint[]) as told (device_name, time)
     join device on device.product_id = $3 and device.device_name = told.device_name
     where not exists (select from journal where journal.device_id = device.device_id
       and journal.device_time = told.time and journal.adds)`,
    [names, times, productID],
  )
  const ofBursts = await database.query<{ n: string }>(
    `select count(distinct token) as n from journal join device using (device_id)
     where device.product_id = $1 and device_name = $2 and adds and token = any($3::text[])`,
    [productID, burster?.name, burster?.acknowledged.map(String) ?? []],
  )
  const doubled = await database.query<{ n: string }>(
    // Who states no time has the one that the server gave it.
    `select count(*) as n from (select from journal where product_id = $1 and adds and method = 'report'
     group by device_id, case when device_time > 0 then device_time else at end having count(*) > 1) as twice`,
    [productID],
  )
  return {
    missing: Number(missing.rows[0]?.n),
    missingOfBursts: (burster?.acknowledged.length ?? 0) - Number(ofBursts.rows[0]?.n),
    doubled: Number(doubled.rows[0]?.n),
  }
}

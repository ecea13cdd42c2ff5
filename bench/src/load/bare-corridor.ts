/**
 * What this machine can do at all (decisions.md 3 "Bare corridor"): aedes, JSON.parse, COPY of three values a message
 * into a partitioned, indexed table, PUBACK after the commit. Nothing is checked and nothing else is kept. Prints its
 * port.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Aedes } from 'aedes'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

const connectionString = process.argv[2] ?? ''
const batchMs = 5

const client = new pg.Client({ connectionString })
await client.connect()
await client.query(`
  drop table if exists bare_value;
  create table bare_value (device text not null, at bigint not null, property text not null, value double precision)
    partition by range (at);
  create table bare_value_all partition of bare_value default;
  create index on bare_value (device, property, at);`)

interface Waiting {
  lines: string
  done(error?: Error): void
}
let waiting: Waiting[] = []
let busy = false

async function flush(): Promise<void> {
  if (busy) return
  busy = true
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    try {
      const copy = client.query(copyFrom('copy bare_value (device, at, property, value) from stdin'))
      await pipeline(Readable.from([batch.map((one) => one.lines).join('')]), copy)
      for (const one of batch) one.done()
    } catch (error) {
      for (const one of batch) one.done(error as Error)
    }
  }
  busy = false
}
setInterval(() => void flush(), batchMs)

const broker = await Aedes.createBroker({ concurrency: 1_000, queueLimit: 10_000 })
broker.authorizePublish = (_client, packet, done) => {
  const message = JSON.parse(packet.payload.toString()) as { timestamp: number; params: Record<string, number> }
  const device = packet.topic.slice(packet.topic.lastIndexOf('/') + 1)
  let lines = ''
  for (const [property, value] of Object.entries(message.params)) {
    lines += `${device}\t${message.timestamp}\t${property}\t${value}\n`
  }
  waiting.push({ lines, done: (error) => done(error ?? null) })
}
const server = createServer({ noDelay: true }, broker.handle)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`${(server.address() as AddressInfo).port}\n`)

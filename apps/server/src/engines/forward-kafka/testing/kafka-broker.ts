/**
 * A small broker for tests, of the wire protocol alone: it looks at checksums and sequence numbers as a real one does, and
 * can be told to fail. What it holds is in memory.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { makeSignIn, type SignIn } from './sign-in.ts'
import { int8, int16, int32, int64, type KafkaRecord, list, readBatch, text, WireReader } from './wire.ts'

export const failures = { corrupt: 2, unknownTopic: 3, tooLarge: 10, invalidTopic: 17, noReplicas: 19, notAllowed: 29 }
const outOfOrder = 45

export interface BrokerOptions {
  partitions?: number
  /** Whom it names: leaders of the partitions in turn. Itself unless told. */
  nodes?: Array<{ host: string; port: number }>
  signIn?: SignIn
  tls?: { cert: Buffer; key: Buffer }
}

export interface KafkaBroker {
  port: number
  /** Of a topic, by partition. */
  log(topic: string): KafkaRecord[][]
  /** Batches that came again and were recognised. */
  repeated: number
  producers: number
  /** Why a batch is refused, or 0. */
  judge: (topic: string, partition: number, records: KafkaRecord[]) => number
  /** Why a topic cannot be used, or 0. */
  judgeTopic: (topic: string) => number
  partitions: number
  nodes: Array<{ host: string; port: number }>
  /** So many answers to records are lost with their connection, after the records are stored. */
  losesAnswers: number
  /** Records are not answered, and not stored. */
  isDeaf: boolean
  /** Numbers of the calls so far. */
  calls: number[]
  connections(): number
}

interface Place {
  records: KafkaRecord[]
  /** What each producer sent last. */
  last: Map<bigint, { sequence: number; next: number; offset: number }>
}

const spoken = [
  [0, 3, 7],
  [3, 0, 4],
  [17, 0, 1],
  [18, 0, 3],
  [22, 0, 1],
  [36, 0, 1],
] as const

function apiVersions(version: number): Buffer {
  const ranges = spoken.map((numbers) => Buffer.concat(numbers.map(int16)))
  if (version < 3) return Buffer.concat([int16(0), list(ranges), version > 0 ? int32(0) : Buffer.alloc(0)])
  const compact = ranges.map((range) => Buffer.concat([range, int8(0)]))
  return Buffer.concat([int16(0), int8(ranges.length + 1), ...compact, int32(0), int8(0)])
}

export async function startKafkaBroker(options: BrokerOptions = {}): Promise<KafkaBroker> {
  const places = new Map<string, Place[]>()
  const sockets = new Set<Socket>()
  const placesOf = (topic: string): Place[] => {
    const all = places.get(topic) ?? []
    while (all.length < broker.partitions) all.push({ records: [], last: new Map() })
    places.set(topic, all)
    return all
  }

  function metadata(reader: WireReader): Buffer {
    const topics = reader.list(() => reader.text())
    const ids = broker.nodes.map((_, index) => int32(index))
    const nodes = broker.nodes.map(({ host, port }, index) =>
      Buffer.concat([int32(index), text(host), int32(port), text(null)]),
    )
    const partition = (index: number) =>
      Buffer.concat([int16(0), int32(index), int32(index % ids.length), list(ids), list(ids)])
    const found = topics.map((topic) => {
      const failure = broker.judgeTopic(topic)
      const count = failure === 0 ? broker.partitions : 0
      const partitions = Array.from({ length: count }, (_, index) => partition(index))
      return Buffer.concat([int16(failure), text(topic), int8(0), list(partitions)])
    })
    return Buffer.concat([int32(0), list(nodes), text('test'), int32(0), list(found)])
  }

  /** @returns failure and offset */
  function append(topic: string, index: number, bytes: Buffer): [number, number] {
    const batch = readBatch(bytes)
    const place = placesOf(topic)[index]
    if (!batch) return [failures.corrupt, -1]
    if (!place) return [failures.unknownTopic, -1]
    const failure = broker.judge(topic, index, batch.records)
    if (failure !== 0) return [failure, -1]
    const last = place.last.get(batch.producerId)
    const next = batch.sequence + batch.records.length
    if (last?.sequence === batch.sequence && last.next === next) {
      broker.repeated++
      return [0, last.offset]
    }
    if (batch.producerId < 0n || batch.sequence !== (last?.next ?? 0)) return [outOfOrder, -1]
    const offset = place.records.push(...batch.records) - batch.records.length
    place.last.set(batch.producerId, { sequence: batch.sequence, next, offset })
    return [0, offset]
  }

  function produce(reader: WireReader): Buffer {
    reader.text()
    const acks = reader.int16()
    if (acks !== -1) throw new Error(`acks=${acks}`)
    reader.int32()
    const topics = reader.list(() => {
      const topic = reader.text()
      const partitions = reader.list(() => {
        const index = reader.int32()
        const [failure, offset] = append(topic, index, reader.bytes(reader.int32()))
        return Buffer.concat([int32(index), int16(failure), int64(BigInt(offset)), int64(-1n), int64(0n)])
      })
      return Buffer.concat([text(topic), list(partitions)])
    })
    return Buffer.concat([list(topics), int32(0)])
  }

  const initProducer = () => Buffer.concat([int32(0), int16(0), int64(BigInt(++broker.producers)), int16(0)])

  function answer(socket: Socket, frame: Buffer, signIn: ReturnType<typeof makeSignIn>): Buffer | undefined {
    const reader = new WireReader(frame)
    const [key, version, correlation] = [reader.int16(), reader.int16(), reader.int32()]
    reader.text()
    broker.calls.push(key)
    if (key === 18) return Buffer.concat([int32(correlation), apiVersions(version)])
    if (key === 17) return Buffer.concat([int32(correlation), signIn.shake(reader)])
    if (key === 36) return Buffer.concat([int32(correlation), signIn.prove(reader, version)])
    if (!signIn.isDone()) throw new Error('not signed in')
    if (key === 3) return Buffer.concat([int32(correlation), metadata(reader)])
    if (key === 22) return Buffer.concat([int32(correlation), initProducer()])
    if (broker.isDeaf) return undefined
    const said = Buffer.concat([int32(correlation), produce(reader)])
    if (broker.losesAnswers === 0) return said
    broker.losesAnswers--
    socket.destroy()
    return undefined
  }

  function serve(socket: Socket): void {
    let waiting = Buffer.alloc(0)
    const signIn = makeSignIn(options.signIn)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk])
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readInt32BE(0)) {
        const end = 4 + waiting.readInt32BE(0)
        const frame = waiting.subarray(4, end)
        waiting = waiting.subarray(end)
        const said = answer(socket, frame, signIn)
        if (said) socket.write(Buffer.concat([int32(said.length), said]))
      }
    })
  }

  const server: Server = options.tls ? createTlsServer(options.tls, serve) : createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const broker: KafkaBroker = {
    port,
    log: (topic) => placesOf(topic).map(({ records }) => records),
    ...{ repeated: 0, producers: 0, losesAnswers: 0, isDeaf: false, calls: [], partitions: options.partitions ?? 4 },
    ...{ judge: () => 0, judgeTopic: () => 0, nodes: options.nodes ?? [{ host: '127.0.0.1', port }] },
    connections: () => sockets.size,
  }
  return broker
}

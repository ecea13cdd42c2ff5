/** A producer that connects only where the guard lets it: to the brokers of the form, and to those that they name. */
import { isIP } from 'node:net'
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import {
  type Broker,
  type CallbackWithPromise,
  type ClusterMetadata,
  type Connection,
  kMetadata,
  type MetadataOptions,
  NetworkError,
  Producer,
  type SASLMechanismValue,
} from '@platformatic/kafka'
import { checkAddress, resolveAddress, wordsIn } from '#engines/forward-shared/reach.ts'
import type { ForwardTools } from '#ports/forward-target.ts'

type Settings = SettingsOf<'kafka'>

/** With the same sequence numbers, so that what has arrived before is not there twice. */
const retries = 3
const retryDelay = 200
const metadataMaxAge = 300_000

export const brokersOf = ({ brokers }: Settings): Broker[] =>
  brokers.split(',').map((text) => {
    const [host = '', port = ''] = text.trim().split(':')
    return { host, port: Number(port) }
  })

/** Node takes no address for a name that a certificate has: whom we connect to is told for each connection. */
function tlsFor({ ca }: Settings, { guard }: ForwardTools) {
  let host = ''
  const options = {
    lookup: guard.lookup,
    ...(ca !== '' && { ca }),
    get servername(): string | undefined {
      return isIP(host) === 0 ? host : undefined
    },
  }
  const connectTo = (name: string) => {
    host = name
  }
  return { options, connectTo }
}

const sasl = ({ mechanism, username, password }: Settings) =>
  mechanism === '' ? {} : { sasl: { mechanism: mechanism.toUpperCase() as SASLMechanismValue, username, password } }

/** Every connection of the client is taken from its pool: there is no other way to have a say in where they lead. */
function guardPool(
  producer: Producer,
  settings: Settings,
  tools: ForwardTools,
  connectTo: (name: string) => void,
): void {
  const pool = producer.connections
  const take = pool.get.bind(pool) as (broker: Broker, callback: CallbackWithPromise<Connection>) => void
  async function judge(broker: Broker): Promise<Broker> {
    if (!settings.tls) return { ...broker, host: await resolveAddress(tools.guard, broker.host) }
    checkAddress(tools.guard, broker.host)
    return broker
  }
  const get = (broker: Broker | undefined, callback: CallbackWithPromise<Connection>): void => {
    const fail = (cause: Error, canRetry: boolean) =>
      callback(new NetworkError(cause.message, { cause, canRetry }), undefined as never)
    // Of a partition without a leader there is none; the pool says so.
    const judged = broker?.host ? judge(broker) : Promise.resolve(broker as unknown as Broker)
    judged.then(
      (one) => {
        connectTo(one?.host ?? '')
        try {
          take(one, callback)
        } catch (cause) {
          // A certificate that cannot be read, for example.
          fail(cause as Error, false)
        }
      },
      (cause: Error) => fail(cause, wordsIn(cause) === undefined),
    )
  }
  Object.assign(pool, { get })
}

/**
 * The client takes for granted that what it is told about a topic has every partition that it has been told of before. Where that
 * does not hold it throws beyond the reach of whoever sends, which would end the process: such an answer is a failure of the send.
 */
class WaryProducer extends Producer {
  readonly #counts = new Map<string, number>()

  #isWhole(metadata: ClusterMetadata | undefined, topic: string): boolean {
    const { partitions = [], partitionsCount = 0 } = metadata?.topics.get(topic) ?? {}
    const isWhole = partitionsCount >= (this.#counts.get(topic) ?? 1) && !partitions.includes(undefined as never)
    if (isWhole) this.#counts.set(topic, partitionsCount)
    return isWhole && partitions.length === partitionsCount
  }

  override [kMetadata](options: MetadataOptions, callback: CallbackWithPromise<ClusterMetadata>): void {
    super[kMetadata](options, (error, metadata) => {
      const broken = error ? undefined : options.topics?.find((topic) => !this.#isWhole(metadata, topic))
      if (broken === undefined) callback(error, metadata)
      else callback(new NetworkError(`partitions of ${broken} are missing`, { canRetry: false }), undefined as never)
    })
  }
}

export function makeGuardedProducer(settings: Settings, tools: ForwardTools): Producer {
  const { timeoutMs } = tools
  const { options, connectTo } = tlsFor(settings, tools)
  const producer = new WaryProducer({
    ...{ clientId: 'ithings-core', bootstrapBrokers: brokersOf(settings), idempotent: true, autocreateTopics: true },
    // Where leaders have moved, a new producer asks who leads: this one would send what belongs to several leaders to one.
    ...{ retries, retryDelay, metadataMaxAge, repeatOnStaleMetadata: false },
    ...{ timeout: timeoutMs, connectTimeout: timeoutMs, requestTimeout: timeoutMs },
    // Without these it says that it was producer 0 before, which not every broker lets pass.
    ...{ producerId: -1n, producerEpoch: -1 },
    ...(settings.tls && { tls: options }),
    ...sasl(settings),
  })
  guardPool(producer, settings, tools, connectTo)
  return producer
}

/** At once, whatever is under way. */
export async function endProducer(producer: Producer): Promise<void> {
  const sockets = [...producer.connections].map(([, connection]) => connection.socket)
  const closed = producer.close().catch(() => undefined)
  for (const socket of sockets) socket?.destroy()
  await closed
}

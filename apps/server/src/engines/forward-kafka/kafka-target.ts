/** Messages as records of Kafka. */
import { phrase } from '@ithings/contract/text.ts'
import type { Producer } from '@platformatic/kafka'
import { stopped } from '#engines/forward-shared/away.ts'
import { placed } from '#engines/forward-shared/chunks.ts'
import { throwIfStopped } from '#engines/forward-shared/reach.ts'
import { type ForwardTarget, type ForwardTools, type OpenTarget, TargetAway } from '#ports/forward-target.ts'
import { within } from '#ports/within.ts'

const most = 2_000
/** The client asks several times, and for several things. */
const patience = 4

/**
 * What needs the client is loaded with the first message for a Kafka: it has more modules than any other library, and makes
 * its checks while it is read. Both together were a third of what it takes to read the whole server.
 */
async function loadClient() {
  const { awayFor } = await import('./faults.ts')
  const { makeGuardedProducer, endProducer } = await import('./guarded-producer.ts')
  const { makeSender } = await import('./send-records.ts')
  return { awayFor, makeGuardedProducer, endProducer, makeSender }
}

/** The work, unless it is ended or takes too long. What it does after that is left alone: its connections are gone. */
async function unlessEnded<T>(work: Promise<T>, signal: AbortSignal, { timeoutMs }: ForwardTools): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(stopped())
  signal.addEventListener('abort', end)
  try {
    const limit = patience * timeoutMs
    return await within(limit, Promise.race([work, promise]), () => {
      throw new TargetAway(phrase('Kafka 在 {count} 秒内没有应答', { count: Math.round(limit / 1_000) }))
    })
  } finally {
    signal.removeEventListener('abort', end)
  }
}

export const openKafkaTarget: OpenTarget<'kafka'> = (settings, tools): ForwardTarget => {
  let producer: Producer | undefined
  const closing = new AbortController()
  /** Of a batch that could not be sent whole: while one partition is away, the others do not get it again and again. */
  const arrived = new Set<string>()

  async function drop(): Promise<void> {
    const old = producer
    producer = undefined
    if (old) await (await loadClient()).endProducer(old)
  }

  return {
    most,
    gatherMs: 0,
    async send(batch, ended) {
      const signal = AbortSignal.any([ended, closing.signal])
      const { awayFor, makeGuardedProducer, makeSender } = await loadClient()
      throwIfStopped(signal)
      producer ??= makeGuardedProducer(settings, tools)
      const left = placed(batch).filter(({ message }) => !arrived.has(message.id))
      try {
        const refused = await unlessEnded(makeSender(settings, producer, arrived, most)(left), signal, tools)
        arrived.clear()
        return refused
      } catch (error) {
        await drop()
        throwIfStopped(signal)
        throw error instanceof TargetAway ? error : awayFor(settings, error, settings.topic)
      }
    },
    async close() {
      closing.abort()
      await drop()
    },
  }
}

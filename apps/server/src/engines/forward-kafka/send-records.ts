/** Sends messages as records: those of one device go to one partition, where their order stays. */
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import { kept } from '@ithings/contract/text.ts'
import { compatibilityPartitioner, type Producer } from '@platformatic/kafka'
import { saidBy } from '#engines/forward-shared/away.ts'
import { chunksOf, halvesOf, type Placed } from '#engines/forward-shared/chunks.ts'
import { fillTemplate } from '#engines/forward-shared/template.ts'
import type { ForwardMessage, Refused } from '#ports/forward-target.ts'
import { awayFor, isRefusal, partitionName, protocolError, readOutcome, unknownTopic } from './faults.ts'

/** Of bodies in one request: the records for one partition are taken or refused together, and usual brokers take 1 MB. */
const mostBytes = 512 * 1024

interface Ready extends Placed {
  topic: string
  partition: number
  key: Buffer
}

const topicForm = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/
const keyOf = ({ productID, deviceName }: ForwardMessage): Buffer => Buffer.from(`${productID}/${deviceName}`)
const headerNames = { id: Buffer.from('id'), source: Buffer.from('source'), contentType: Buffer.from('content-type') }
const headersOf = ({ id, source, contentType }: ForwardMessage): Map<Buffer, Buffer> =>
  new Map([
    [headerNames.id, Buffer.from(id)],
    [headerNames.source, Buffer.from(source)],
    [headerNames.contentType, Buffer.from(contentType)],
  ])

const recordOf = ({ message, topic, partition, key }: Ready) => ({
  ...{ topic, partition, key, value: Buffer.from(message.body) },
  ...{ headers: headersOf(message), timestamp: BigInt(message.time) },
})

const invalidTopic = (topic: string): string =>
  kept('主题「{topic}」不符合 Kafka 的规则：只能由 1 至 249 个字母、数字、点、下划线和连字符组成', {
    topic: saidBy(topic),
  })

/** How many partitions each has; 0: the broker does not take the name. */
async function countPartitions(
  producer: Producer,
  settings: SettingsOf<'kafka'>,
  topics: readonly string[],
): Promise<Map<string, number>> {
  const count = async (topic: string): Promise<[string, number]> => {
    try {
      const found = (await producer.metadata({ topics: [topic] })).topics.get(topic)
      if (!found) throw unknownTopic(topic)
      return [topic, found.partitionsCount]
    } catch (error) {
      if (isRefusal(protocolError(error))) return [topic, 0]
      // All that the client complains of by itself: it was told that there is none.
      if ((error as { code?: string }).code === 'PLT_KFK_USER') throw unknownTopic(topic)
      throw awayFor(settings, error, topic)
    }
  }
  return new Map(await Promise.all(topics.map(count)))
}

/** @param most records of one request */
export function makeSender(settings: SettingsOf<'kafka'>, producer: Producer, arrived: Set<string>, most: number) {
  /** Those of a partition that are refused together are halved until the one that is to blame is alone. */
  async function produce(list: readonly Ready[]): Promise<Refused[]> {
    const partitions = Map.groupBy(list, ({ topic, partition }) => partitionName(topic, partition))
    const note = (name: string) => {
      for (const { message } of partitions.get(name) ?? []) arrived.add(message.id)
    }
    try {
      await producer.send({ messages: list.map(recordOf), idempotent: true })
      for (const name of partitions.keys()) note(name)
      return []
    } catch (error) {
      const outcome = readOutcome(error)
      for (const name of outcome.arrived) note(name)
      const open = [...partitions.keys()].filter((name) => !outcome.arrived.has(name))
      const waiting = open.find((name) => !outcome.refused.has(name))
      if (waiting !== undefined || open.length === 0) {
        throw awayFor(settings, error, partitions.get(waiting ?? '')?.[0]?.topic ?? '')
      }
      const refused: Refused[] = []
      for (const name of open) {
        const some = partitions.get(name) ?? []
        const [first] = some
        if (some.length === 1 && first) {
          const fault = outcome.refused.get(name)
          const values = { message: saidBy(fault?.message ?? ''), code: String(fault?.apiId) }
          refused.push({ index: first.index, reason: kept('Kafka 拒绝了这条消息：{message}（{code}）', values) })
        } else {
          for (const half of halvesOf(some)) refused.push(...(await produce(half)))
        }
      }
      return refused
    }
  }

  return async (batch: readonly Placed[]): Promise<Refused[]> => {
    const named = batch.map((one) => ({ ...one, topic: fillTemplate(settings.topic, one.message) }))
    const topics = [...new Set(named.map(({ topic }) => topic))].filter((topic) => topicForm.test(topic))
    const counts = await countPartitions(producer, settings, topics)
    const refused: Refused[] = []
    const ready: Ready[] = []
    for (const one of named) {
      const count = counts.get(one.topic) ?? 0
      if (count === 0) {
        refused.push({ index: one.index, reason: invalidTopic(one.topic) })
        continue
      }
      const key = keyOf(one.message)
      ready.push({ ...one, key, partition: compatibilityPartitioner(undefined as never, key) % count })
    }
    for (const chunk of chunksOf(ready, most, mostBytes, ({ body }) => body.length)) {
      refused.push(...(await produce(chunk as Ready[])))
    }
    return refused.toSorted((a, b) => a.index - b.index)
  }
}

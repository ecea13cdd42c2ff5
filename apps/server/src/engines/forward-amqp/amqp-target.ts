/** Messages to an exchange of an AMQP 0-9-1 server (RabbitMQ): persistent, confirmed, and only where a queue takes them. */
import { kept } from '@ithings/contract/text.ts'
import { deliver } from '#engines/forward-shared/deliver.ts'
import { oneLine } from '#engines/forward-shared/one-line.ts'
import { fillTemplate } from '#engines/forward-shared/template.ts'
import type { ForwardMessage, OpenTarget } from '#ports/forward-target.ts'
import { type AmqpLine, openAmqpLine } from './amqp-line.ts'

const most = 1_000
/** Of AMQP itself. */
const longestKey = 255

export const openAmqp: OpenTarget<'amqp'> = (settings, tools) => {
  const { exchange, routingKey } = settings
  const lines = oneLine<AmqpLine>((signal) => openAmqpLine(settings, tools, signal))

  async function publish(message: ForwardMessage, signal: AbortSignal): Promise<string | undefined> {
    const key = fillTemplate(routingKey, message)
    if (Buffer.byteLength(key) > longestKey) return kept('路由键超过 {count} 字节', { count: longestKey })
    const line = await lines.open(signal)
    const { body, contentType, id, source, time } = message
    return line.publish(exchange, key, Buffer.from(body), {
      mandatory: true,
      persistent: true,
      messageId: id,
      contentType,
      contentEncoding: 'utf-8',
      timestamp: Math.floor(time / 1000),
      headers: { source },
    })
  }

  return {
    most,
    gatherMs: 0,
    send: (batch, signal) =>
      lines.sending(signal, (ends) =>
        deliver(batch.length, { atOnce: () => most, timeoutMs: tools.timeoutMs, signal: ends }, (index) =>
          publish(batch[index] as ForwardMessage, ends),
        ),
      ),
    async close() {
      lines.close()
    },
  }
}

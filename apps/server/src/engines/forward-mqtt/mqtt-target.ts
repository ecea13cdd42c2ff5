/** Messages as publishes to somebody else's MQTT server, 3.1.1 or 5. */
import { kept } from '@ithings/contract/text.ts'
import { deliver } from '#engines/forward-shared/deliver.ts'
import { oneLine } from '#engines/forward-shared/one-line.ts'
import { fillTemplate } from '#engines/forward-shared/template.ts'
import type { ForwardMessage, OpenTarget } from '#ports/forward-target.ts'
import { type MqttLine, openMqttLine } from './mqtt-line.ts'

const most = 1_000
const longestTopic = 65_535

const isTopic = (topic: string): boolean =>
  topic !== '' && !/[+#\0]/.test(topic) && Buffer.byteLength(topic) <= longestTopic

const lengthBytes = (length: number): number => (length < 128 ? 1 : length < 16_384 ? 2 : length < 2_097_152 ? 3 : 4)
const textBytes = (text: string): number => 2 + Buffer.byteLength(text)

interface Properties {
  contentType: string
  userProperties: Record<string, string>
}

/** Of a PUBLISH of MQTT 5: whoever sends a larger one than the server takes loses the connection. */
function packetBytes(topic: string, body: string, qos: number, { contentType, userProperties }: Properties): number {
  const users = Object.entries(userProperties).map(([key, value]) => 1 + textBytes(key) + textBytes(value))
  const properties = users.reduce((sum, bytes) => sum + bytes, 2 + 1 + textBytes(contentType))
  const id = qos > 0 ? 2 : 0
  const rest = textBytes(topic) + id + lengthBytes(properties) + properties + Buffer.byteLength(body)
  return 1 + lengthBytes(rest) + rest
}

export const openMqtt: OpenTarget<'mqtt'> = (settings, tools) => {
  const { topic: template, qos, retain, version } = settings
  const lines = oneLine<MqttLine>((signal) => openMqttLine(settings, tools, signal))

  async function publish(message: ForwardMessage, signal: AbortSignal): Promise<string | undefined> {
    const topic = fillTemplate(template, message)
    if (!isTopic(topic)) return kept('主题 {topic} 无效', { topic })
    const line = await lines.open(signal)
    const { body, contentType, id, source } = message
    if (version !== '5') return line.publish(topic, body, { qos, retain })
    const properties = { payloadFormatIndicator: true, contentType, userProperties: { id, source } }
    if (line.largest !== undefined && packetBytes(topic, body, qos, properties) > line.largest) {
      return kept('消息超过对方允许的 {count} 字节', { count: line.largest })
    }
    return line.publish(topic, body, { qos, retain, properties })
  }

  return {
    most,
    gatherMs: 0,
    send: (batch, signal) =>
      lines.sending(signal, (ends) =>
        deliver(
          batch.length,
          { atOnce: () => lines.current()?.atOnce ?? 1, timeoutMs: tools.timeoutMs, signal: ends },
          (index) => publish(batch[index] as ForwardMessage, ends),
        ),
      ),
    async close() {
      lines.close()
    },
  }
}

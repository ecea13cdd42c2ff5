/** One connection to somebody else's MQTT server. It is not opened again by itself. */
import { randomUUID } from 'node:crypto'
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { type IClientPublishOptions, type IConnackPacket, MqttClient, ReasonCodes } from 'mqtt'
import { stopped } from '#engines/forward-shared/away.ts'
import { Blamed } from '#engines/forward-shared/deliver.ts'
import { signInOf } from '#engines/forward-shared/guarded.ts'
import { type ForwardTools, TargetAway } from '#ports/forward-target.ts'
import { openMqttStream } from './mqtt-stream.ts'

const keepAliveSeconds = 30
/** Wait for their PUBACK at most; a server of MQTT 5 may want fewer. */
const mostAtOnce = 1_000
/** Topic name invalid, packet too large, quota exceeded, payload format invalid: such a message is never taken. */
const blamesMessage = new Set([0x90, 0x95, 0x97, 0x99])

const nameOf = (code: number): string =>
  (ReasonCodes as Record<number, string>)[code] || `0x${code.toString(16).padStart(2, '0')}`
const refusal = (code: number): string => kept('对方拒收：{reason}', { reason: nameOf(code) })
const codeOf = (error: Error): number => ('code' in error && typeof error.code === 'number' ? error.code : 0)

function meaningOf(error: Error): Error {
  const code = codeOf(error)
  if (code !== 0) return new TargetAway(phrase('对方拒绝登录：{reason}', { reason: nameOf(code) }))
  // mosquitto says "packet too large" in a PUBACK, which MQTT 5 does not know there: the library does not say of which message.
  return error.message === 'Invalid puback reason code' ? new Blamed(refusal(0x95)) : error
}

export interface MqttLine {
  atOnce: number
  /** Bytes of a packet that the server takes; undefined: any. */
  largest: number | undefined
  /** Answers why it is refused, or undefined when the server has it. @throws why the connection ended */
  publish(topic: string, body: string, options: IClientPublishOptions): Promise<string | undefined>
  isOpen(): boolean
  end(): void
}

/** Of a connection; the library says no more than that it ended. */
interface Ending {
  cause: Error | undefined
}
const closedByThem = (): Error => Object.assign(new Error('closed'), { code: 'ECONNRESET' })

function makeLine(client: MqttClient, { properties }: IConnackPacket, ending: Ending): MqttLine {
  const waiting = new Set<(error: Error) => void>()
  client.on('close', () => {
    ending.cause ??= closedByThem()
    for (const fail of waiting) fail(ending.cause)
    waiting.clear()
  })
  return {
    atOnce: Math.min(properties?.receiveMaximum ?? mostAtOnce, mostAtOnce),
    largest: properties?.maximumPacketSize,
    publish: (topic, body, options) =>
      new Promise((resolve, reject) => {
        // Why it ended has nothing to do with a message that comes later.
        if (ending.cause) return reject(closedByThem())
        waiting.add(reject)
        client.publish(topic, body, options, (error) => {
          waiting.delete(reject)
          if (!error) return resolve(undefined)
          const code = codeOf(error)
          if (blamesMessage.has(code)) resolve(refusal(code))
          // Its own error says only that the connection ended.
          else
            reject(
              code === 0
                ? (ending.cause ?? error)
                : new TargetAway(phrase('对方拒收：{reason}', { reason: nameOf(code) })),
            )
        })
      }),
    isOpen: () => ending.cause === undefined,
    end: () => void client.end(true),
  }
}

/** @throws why it was not opened */
export function openMqttLine(
  settings: SettingsOf<'mqtt'>,
  tools: ForwardTools,
  signal: AbortSignal,
): Promise<MqttLine> {
  const url = new URL(settings.url)
  const { username, password } = signInOf(url, settings)
  if (signal.aborted) throw stopped()
  const stream = openMqttStream(url, tools.guard, settings.ca)
  const ending: Ending = { cause: undefined }
  stream.on('error', (error) => {
    ending.cause ??= error
  })
  const client = new MqttClient(() => stream, {
    protocolVersion: settings.version === '5' ? 5 : 4,
    clientId: settings.clientID || `ithings-${randomUUID()}`,
    clean: true,
    keepalive: keepAliveSeconds,
    // Whoever sends waits no longer than `timeoutMs`, and says so.
    connectTimeout: 2 * tools.timeoutMs,
    reconnectPeriod: 0,
    resubscribe: false,
    ...(username !== '' && { username, password }),
  })
  client.on('error', (error) => {
    ending.cause ??= meaningOf(error)
    client.end(true)
  })
  client.on('disconnect', ({ reasonCode = 0 }) => {
    const reason = nameOf(reasonCode)
    ending.cause ??= blamesMessage.has(reasonCode)
      ? new Blamed(refusal(reasonCode))
      : new TargetAway(phrase('对方断开了连接：{reason}', { reason }))
    client.end(true)
  })
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      ending.cause ??= stopped()
      client.end(true)
      reject(ending.cause)
    }
    const onClose = () => {
      signal.removeEventListener('abort', onAbort)
      reject(ending.cause ?? closedByThem())
    }
    client.once('close', onClose)
    client.once('connect', (packet) => {
      client.off('close', onClose)
      signal.removeEventListener('abort', onAbort)
      resolve(makeLine(client, packet, ending))
    })
    signal.addEventListener('abort', onAbort)
  })
}

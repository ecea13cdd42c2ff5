/** Messages to devices of the broker that others run: each server has a connection of its own for them. */

import { setTimeout as rest } from 'node:timers/promises'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import type { MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import type { Upstream } from '#ports/upstream.ts'
import { connectUpstream } from './connect.ts'
import type { UpstreamAddress } from './upstream-address.ts'

const answerMs = 5_000
/** That the broker has not confirmed yet. */
const mostOpen = 5_000

const away = (msg: Phrase) => new AppError(errors.system, { msg })

export class WayDown implements Upstream {
  readonly #client: MqttClient
  #open = 0

  constructor(address: UpstreamAddress, clientID: string, log: Logger) {
    const client = connectUpstream(address, { clientId: clientID, clean: true })
    this.#client = client
    let last = ''
    client.on('error', (error) => {
      if (error.message !== last) log.warn({ err: error }, 'messages cannot be sent to the upstream MQTT server')
      last = error.message
    })
    client.on('connect', () => {
      last = ''
    })
  }

  get connected(): boolean {
    return this.#client.connected
  }

  async publish(topic: string, payload: string | Uint8Array): Promise<void> {
    // Nothing waits for the broker: a command that comes minutes later helps nobody.
    if (!this.#client.connected) throw away(phrase('上游 MQTT 服务器未连接'))
    if (this.#open >= mostOpen) throw away(phrase('上游 MQTT 服务器尚未确认的消息已有 {count} 条', { count: mostOpen }))
    this.#open += 1
    const bytes = typeof payload === 'string' ? payload : Buffer.from(payload)
    const told = new AbortController()
    try {
      const confirmed = this.#client.publishAsync(topic, bytes, { qos: 1 })
      const messageID = this.#client.getLastMessageId()
      const late = rest(answerMs, 'late', { signal: told.signal }).catch(() => 'told')
      if ((await Promise.race([confirmed, late])) === 'late') {
        confirmed.catch(() => undefined)
        this.#client.removeOutgoingMessage(messageID)
        throw away(phrase('上游 MQTT 服务器在 {seconds} 秒内没有确认消息', { seconds: answerMs / 1000 }))
      }
    } finally {
      told.abort()
      this.#open -= 1
    }
  }

  async stop(): Promise<void> {
    await this.#client.endAsync(true).catch(() => undefined)
  }
}

/** A virtual device's remote configuration (device-protocol.md 7): asked for at sign-in, kept when it is pushed. */
import { buildTopic, type DeviceTopic } from '@ithings/contract/device/topics.ts'
import type { Counts } from './options.ts'
import { readMessage, type Thing } from './thing.ts'

export interface RemoteConfig {
  readonly topics: string[]
  heard(topic: DeviceTopic, payload: Uint8Array): void
  ask(): void
  /** As the platform sent it; undefined: never got one. */
  readonly text: string | undefined
}

export function makeRemoteConfig(
  thing: Thing,
  counts: Counts,
  send: (topic: string, payload: string) => void,
): RemoteConfig {
  let text: string | undefined
  const topic = (way: 'up' | 'down', type: string) => buildTopic({ head: 'config', way, type, ...thing.device })
  return {
    topics: ['get', 'push'].map((type) => topic('down', type)),
    heard(_topic, payload) {
      const message = readMessage(payload)
      // For older and newer devices: the reply of get has it twice.
      const content = message?.payload ?? message?.data
      if (typeof content !== 'string' || content === '') return
      text = content
      counts.configs++
    },
    ask: () =>
      send(
        topic('up', 'get'),
        JSON.stringify({ method: 'get', clientToken: thing.nextToken(), timestamp: thing.now() }),
      ),
    get text() {
      return text
    },
  }
}

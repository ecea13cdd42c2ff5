/** A broker that others run (EMQX, HiveMQ, RabbitMQ, mosquitto), as the platform sees it: what comes from it, a way to it. */

export interface UpstreamMessage {
  topic: string
  payload: Buffer
  qos: 0 | 1 | 2
  dup: boolean
}

/** A client of that broker came or went, where the broker tells. */
export interface UpstreamPassage {
  clientID: string
  online: boolean
  /** Milliseconds. */
  at: number
  ip: string
  reason: string
}

export interface Upstream {
  /** QoS 1. Resolves when the broker has it; rejects when it is away or takes too long. */
  publish(topic: string, payload: string | Uint8Array): Promise<void>
}

/** What device_session says instead of a client id of devices that are reached by way of it: any server may speak to them. */
export const upstreamClientID = 'upstream'

/** In which part a device is, of so many; the same on all servers. */
export function partOf(device: string, parts: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < device.length; i++) hash = Math.imul(hash ^ device.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % parts
}

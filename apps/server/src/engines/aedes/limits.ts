/** What one client, and all of them together, may cost (decisions.md 4.3). */
import type { IntakeLimits } from '../intake/intake.ts'

/** Those of all connections together, and of the time a message may take until its PUBACK, are the intake's. */
export interface BrokerLimits extends IntakeLimits {
  /** A whole MQTT packet. */
  packetBytes: number
  /** The CONNECT packet with its will: it is read before anybody has signed in. */
  connectBytes: number
  connections: number
  /** CONNECTs a second; more wait in line up to connectWaitMs, then are sent away. */
  connectRate: number
  connectBurst: number
  connectWaitMs: number
  /** PUBLISH packets of one connection that wait for their commit; then its socket is not read on. */
  inflight: number
  gatewayInflight: number
  /** Messages a second of a device: more are held back; who needs that for messageHoldMs on end is disconnected. */
  messageRate: number
  messageBurst: number
  gatewayMessageRate: number
  gatewayMessageBurst: number
  messageHoldMs: number
  /** What may wait in a socket for a device that reads slowly; beyond it a downlink is refused. */
  sendBufferBytes: number
  subscriptions: number
  gatewaySubscriptions: number
  /** A connection that only registers its device (device-protocol.md 3) is not kept for longer. */
  registerMs: number
}

export const defaultLimits: BrokerLimits = {
  packetBytes: 256 * 1024 + 1024,
  connectBytes: 16 * 1024,
  connections: 50_000,
  connectRate: 1_000,
  connectBurst: 2_000,
  connectWaitMs: 5_000,
  inflight: 100,
  gatewayInflight: 1_000,
  totalInflight: 20_000,
  perTurn: 400,
  totalInflightBytes: 64 * 1024 * 1024,
  messageRate: 100,
  messageBurst: 500,
  gatewayMessageRate: 5_000,
  gatewayMessageBurst: 10_000,
  messageHoldMs: 300_000,
  storeMs: 5_000,
  sendBufferBytes: 1024 * 1024,
  subscriptions: 50,
  gatewaySubscriptions: 10_000,
  registerMs: 60_000,
}

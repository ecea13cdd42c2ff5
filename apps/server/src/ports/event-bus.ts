/** What happened, told inside this server after it is stored. Listeners never throw back at the teller. */
import type { JournalEntry } from './journal.ts'

export interface DeviceRef {
  productID: string
  deviceName: string
  deviceID: number
}

export interface EventMap {
  /** An uplink message is stored and acknowledged; `values`: properties that changed or were confirmed, none that came late. */
  'uplink.stored': { device: DeviceRef; entry: JournalEntry; values: Record<string, unknown> | undefined }
  /** The device came, went, or its last sign of life moved. */
  'device.presence': { device: DeviceRef; online: boolean; at: number; reason: string }
  /** A connection of the device to this server began or ended, whether or not it came or went by that. */
  'device.session': { device: DeviceRef }
  /** The device was allowed to hear a topic; what was sent to it since it connected may have been missed. */
  'device.subscribed': { device: DeviceRef; topic: string; connectedAt: number }
  /** A line was added to the hub log or the device's own log. */
  'device.logged': { device: DeviceRef; kind: 'hub' | 'sdk' }
  /** A command got its reply, timed out or failed. */
  'command.done': { device: DeviceRef; clientToken: string; code: number }
  /** A device told about itself, its version or its place: shown on screens, remembered by no server. */
  'device.described': { device: DeviceRef }
  /** Somebody disabled these devices. */
  'device.disabled': { devices: Array<{ productID: string; deviceName: string }> }
  /** Somebody set how much these devices log: they are told (device-protocol.md 7). */
  'device.logLevel': { devices: Array<{ productID: string; deviceName: string }>; logLevel: number }
  /** Sub-devices came to a gateway or left it, by whomever: it is told (device-protocol.md 6 `change`). */
  'gateway.children': { gateway: DeviceRef; bound: boolean; children: DeviceRef[] }
  /** A desired value was set, delivered or cleared. */
  'shadow.changed': { device: DeviceRef }
  /** A run of a scene began, waits or ended. */
  'scene.ran': { sceneID: number; runID: number; result: number }
  /** What lists show of runs is written: last results and counters. */
  'scene.marked': { sceneIDs: number[] }
  /** Alarm records were opened, repeated, claimed, handled or cleared. */
  'alarm.changed': { recordIDs: number[]; opened: boolean }
  /** Devices of runs moved, or a run itself did (features/rollouts); told at most a few times a second for each run. */
  'rollout.changed': { kind: 'task' | 'ota' | 'config'; topic: string; runID: number }
  /** Figures of the large screen were counted anew. */
  'home.changed': Record<string, never>
}

export type EventName = keyof EventMap

export interface EventBus {
  emit<N extends EventName>(name: N, event: EventMap[N]): void
  /** @returns a function that ends the subscription */
  on<N extends EventName>(name: N, listener: (event: EventMap[N]) => void): () => void
}

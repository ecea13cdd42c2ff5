/** Writing what devices said in the past, as if it had come then (the demo fleet); and taking it away at once. */

/** Already coerced by the thing model. */
export type PastValue = number | boolean | string

export interface PastReport {
  /** Receive and device time, ms; rising. */
  at: number
  values: Record<string, PastValue>
}

export interface PastEvent {
  at: number
  eventID: string
  /** info, alert, fault: as the model has it. */
  type: string
  params: Record<string, PastValue>
}

export interface PastDevice {
  deviceID: number
  productID: string
  deviceName: string
  logDays: number
  reports: PastReport[]
  events: PastEvent[]
  /** When its connection broke (ms), for the log: it was connected until then. */
  brokeAt?: number
}

export interface Backfill {
  /** Of devices without a history. @param logsFrom messages since then (ms) are in the log too */
  write(devices: PastDevice[], logsFrom: number): Promise<void>
  /** Everything that was kept of devices that are gone, without the usual wait for stragglers. */
  remove(deviceIDs: number[]): Promise<void>
}

/** The newest value of every property, in memory for devices at work, flushed to the database each second. */
export interface LatestValue {
  value: unknown
  /** Device time, ms. */
  time: number
}

export interface LatestValues {
  /**
   * Synchronous, after the commit of the message: older device times do not replace newer ones.
   * @param stated the time is the device's own: then the same value of the same time is the same message again
   * @returns the properties that came late, or again, if any
   */
  put(deviceID: number, values: Record<string, unknown>, time: number, stated?: boolean): string[] | undefined
  /** What memory holds now, without a copy; undefined: what the database knows is not in it yet. */
  peek(deviceID: number): ReadonlyMap<string, LatestValue> | undefined
  /** Everything known about the device, from memory or the database. */
  read(deviceID: number): Promise<Record<string, LatestValue>>
  /** Of many devices, for lists that ask for `withProperties`. */
  readMany(deviceIDs: number[]): Promise<Map<number, Record<string, LatestValue>>>
  forget(deviceID: number): Promise<void>
}

/** The newest value of every property, in memory for devices at work, flushed to the database each second. */
export interface LatestValue {
  value: unknown
  /** The device's own time, ms, or that of its receipt. */
  time: number
}

export interface LatestValues {
  /**
   * Synchronous, after the commit of the message. What arrives last is the newest, unless it states a time before one that
   * was stated already; a clock that is ahead counts as ours, so that nothing has to wait for it.
   * @param at when it was received
   * @param stated the device's own time, 0 for none: with it the same value of the same time is the same message again
   * @returns the properties that came late, or again, if any
   */
  put(deviceID: number, values: Record<string, unknown>, at: number, stated?: number): string[] | undefined
  /** What memory holds now, without a copy; undefined: what the database knows is not in it yet. */
  peek(deviceID: number): ReadonlyMap<string, LatestValue> | undefined
  /** The device comes, perhaps from another server: what memory holds is not the newest until the database was asked. */
  doubt(deviceID: number): void
  /** Everything known about the device, from memory or the database. */
  read(deviceID: number): Promise<Record<string, LatestValue>>
  /** Of many devices, for lists that ask for `withProperties`. */
  readMany(deviceIDs: number[]): Promise<Map<number, Record<string, LatestValue>>>
  forget(deviceID: number): Promise<void>
}

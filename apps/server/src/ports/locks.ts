/** Things that one request at a time may work on, whichever server it came to. */
export interface Locks {
  /**
   * Waits until nobody on any server holds the name.
   * @param wanted called when somebody else waits for it, or when it was lost with the line to the database: let go soon
   * @returns how to let go; undefined: the signal ended the waiting
   */
  take(name: string, wanted: () => void, signal: AbortSignal): Promise<(() => Promise<void>) | undefined>
  stop(): Promise<void>
}

/** Small numbers that one server at a time may have, of all that share a database. */
export interface Claims {
  /** Does not wait. @returns whether it is this server's now; also when it was before */
  take(number: number): Promise<boolean>
  letGo(number: number): Promise<void>
  stop(): Promise<void>
}

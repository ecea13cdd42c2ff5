/** Small numbers that one server at a time may have, of all that share a database. */
export interface Claims {
  /** Does not wait. @returns whether it is this server's now; also when it was before */
  take(number: number): Promise<boolean>
  letGo(number: number): Promise<void>
  /**
   * Numbers are taken only by servers that mean the same by them, which a word says. Does not wait.
   * @returns false while another server has said another word
   */
  agree(word: string): Promise<boolean>
  /** It takes none for now: others may mean what they like. */
  disagree(): Promise<void>
  stop(): Promise<void>
}

/** PUBACKs in the order of the PUBLISHes, as MQTT wants them ([MQTT-4.6.0-2]), although the messages are stored side by side. */
export interface Owed {
  readonly messageID: number
  stored: boolean
}

/** The packet as it goes over the wire. */
function write(to: Buffer, at: number, messageID: number): void {
  to.writeUInt16BE(0x4002, at)
  to.writeUInt16BE(messageID, at + 2)
}

export class Acknowledgements {
  /** In the order of arrival. */
  readonly #owed = new Set<Owed>()

  received(messageID: number): Owed {
    const one = { messageID, stored: false }
    this.#owed.add(one)
    return one
  }

  /** What may be told to the broker by now: everything before the first that is not stored; undefined: nothing. */
  take(): Buffer | undefined {
    const ready: number[] = []
    for (const one of this.#owed) {
      if (!one.stored) break
      this.#owed.delete(one)
      ready.push(one.messageID)
    }
    if (ready.length === 0) return undefined
    const bytes = Buffer.allocUnsafe(4 * ready.length)
    for (const [index, messageID] of ready.entries()) write(bytes, 4 * index, messageID)
    return bytes
  }
}

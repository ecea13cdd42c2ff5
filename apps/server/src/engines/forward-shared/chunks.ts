/** A batch in pieces that are not too large to be sent at once. */
import type { ForwardMessage } from '#ports/forward-target.ts'

/** A message of a batch with its place in it. */
export interface Placed {
  index: number
  message: ForwardMessage
}

export const placed = (batch: readonly ForwardMessage[]): Placed[] =>
  batch.map((message, index) => ({ index, message }))

/** In order; a message that is larger than a piece may be is one alone. */
export function* chunksOf(
  messages: readonly Placed[],
  most: number,
  mostBytes: number,
  sizeOf: (message: ForwardMessage) => number,
): Generator<Placed[]> {
  let chunk: Placed[] = []
  let bytes = 0
  for (const one of messages) {
    const size = sizeOf(one.message)
    if (chunk.length > 0 && (chunk.length === most || bytes + size > mostBytes)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(one)
    bytes += size
  }
  if (chunk.length > 0) yield chunk
}

/** The first half, and the rest. */
export const halvesOf = <T>(list: readonly T[]): [T[], T[]] => {
  const middle = Math.ceil(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)]
}

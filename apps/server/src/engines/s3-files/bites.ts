/** Content in bites of one size, so that a large file never lies in memory. */
import { createHash } from 'node:crypto'

/** A part of a joined object must be larger than 5 MB; 10,000 of them are 80 GB. */
export const biteBytes = 8 * 1024 * 1024

export interface Bite {
  bytes: Buffer<ArrayBuffer>
  /** Hex: the store compares it with what arrived. */
  sha256: string
}

function makeGathering() {
  let chunks: Buffer[] = []
  let hash = createHash('sha256')
  let size = 0
  return {
    size: () => size,
    add(chunk: Buffer) {
      chunks.push(chunk)
      // Little by little, as it comes: all at once would hold the event loop.
      hash.update(chunk)
      size += chunk.length
    },
    take(): Bite {
      const bite = { bytes: Buffer.concat(chunks, size), sha256: hash.digest('hex') }
      chunks = []
      hash = createHash('sha256')
      size = 0
      return bite
    },
  }
}

/**
 * All but the last are full. When the content breaks off, what came before comes as the last bite, then the failure.
 * @param first goes before the content
 */
export async function* bitesOf(
  content: AsyncIterable<Buffer | string>,
  first: Buffer = Buffer.alloc(0),
): AsyncGenerator<Bite> {
  const gathering = makeGathering()
  gathering.add(first)
  let failure: { cause: unknown } | undefined
  try {
    for await (const one of content) {
      const chunk = typeof one === 'string' ? Buffer.from(one) : one
      for (let from = 0; from < chunk.length; ) {
        const some = chunk.subarray(from, from + biteBytes - gathering.size())
        gathering.add(some)
        from += some.length
        if (gathering.size() === biteBytes) yield gathering.take()
      }
    }
  } catch (cause) {
    failure = { cause }
  }
  if (gathering.size() > 0) yield gathering.take()
  if (failure) throw failure.cause
}

export const emptyBite = (): Bite => makeGathering().take()

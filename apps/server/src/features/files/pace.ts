/** A stream that gives no more than so many bytes a second, evenly: many devices share one uplink. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** Small steps keep it even, and let go of a closed connection soon. */
const stepsPerSecond = 10

async function* paced(source: AsyncIterable<Buffer>, bytesPerSecond: number): AsyncGenerator<Buffer> {
  const step = Math.max(1, Math.floor(bytesPerSecond / stepsPerSecond))
  const start = performance.now()
  let sent = 0
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length; from += step) {
      const early = (sent / bytesPerSecond) * 1000 - (performance.now() - start)
      if (early > 0) await sleep(early)
      const piece = chunk.subarray(from, from + step)
      sent += piece.length
      yield piece
    }
  }
}

export const atPace = (source: Readable, bytesPerSecond: number): Readable =>
  Readable.from(paced(source, bytesPerSecond), { objectMode: false })

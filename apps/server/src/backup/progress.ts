import { phrase } from '@ithings/contract/text.ts'
import { inTerminal } from '#terminal.ts'
import { type Part, partName } from './format.ts'
import type { OpenPart } from './write-archive.ts'

const tellEveryMs = 5_000

export interface Progress {
  say(line: string): void
  /** Counts what passes. */
  watch(parts: Iterable<OpenPart> | AsyncIterable<OpenPart>): AsyncGenerator<OpenPart>
  pass(part: Part, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
}

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** A line now and then, so that a long run is seen to go on, whatever the sizes of its parts. */
export function makeProgress(write: (line: string) => void, now: () => number = Date.now): Progress {
  let bytes = 0
  let told = now()

  async function* pass(part: Part, content: AsyncIterable<Buffer>) {
    for await (const chunk of content) {
      bytes += chunk.length
      if (now() - told >= tellEveryMs) {
        told = now()
        write(inTerminal(phrase('  {size}，正在处理{part}', { size: megabytes(bytes), part: partName(part) })))
      }
      yield chunk
    }
  }

  return {
    say: write,
    pass,
    async *watch(parts) {
      for await (const { part, content } of parts) yield { part, content: pass(part, content) }
    },
  }
}

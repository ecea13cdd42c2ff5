/** The beginning of an HTTP answer: as much as is kept; the rest of a huge one is not waited for, its connection ends then. */
import type { IncomingMessage } from 'node:http'

export const maxAnswerBytes = 65_536

export async function readAnswerStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxAnswerBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8')
}

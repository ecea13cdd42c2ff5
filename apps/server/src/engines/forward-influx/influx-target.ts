/** Messages as points of InfluxDB 2, and of whatever else is written to in its way. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { keep, kept } from '@ithings/contract/text.ts'
import { answerWords, type HttpAnswer, openHttpLine } from '#engines/forward-shared/http-line.ts'
import { type OpenTarget, type Refused, TargetAway } from '#ports/forward-target.ts'
import { lineOf } from './line-protocol.ts'

const most = 1_000
/** Below this it is not worth the work. */
const gzipFromBytes = 4_096
/** What is wrong with lines: not understood, too large, or of another type than the field has. */
const blamesLines = new Set([400, 413, 422])

const gzipped = promisify(gzip)

interface Line {
  /** In the batch. */
  index: number
  text: string
}

function writeAddress(url: string, org: string, bucket: string): URL {
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/\/$/, '')}/api/v2/write`
  if (org !== '') address.searchParams.set('org', org)
  address.searchParams.set('bucket', bucket)
  address.searchParams.set('precision', 'ms')
  return address
}

export const openInflux: OpenTarget<'influx'> = ({ url, org, bucket, token, measurement }, tools) => {
  const line = openHttpLine(writeAddress(url, org, bucket), tools)

  async function write(lines: readonly Line[], signal: AbortSignal): Promise<HttpAnswer> {
    const text = lines.map((one) => one.text).join('\n')
    const isLarge = Buffer.byteLength(text) >= gzipFromBytes
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      ...(token && { Authorization: `Token ${token}` }),
      ...(isLarge && { 'Content-Encoding': 'gzip' }),
    }
    return line.post(isLarge ? await gzipped(text) : text, headers, signal)
  }

  /** Those to blame are found by halves. What is written twice on the way is the same point. */
  async function writeOrBlame(lines: readonly Line[], signal: AbortSignal): Promise<Refused[]> {
    const answer = await write(lines, signal)
    if (answer.status < 300) return []
    if (!blamesLines.has(answer.status)) throw new TargetAway(answerWords(answer))
    const [first] = lines
    if (lines.length === 1 && first) return [{ index: first.index, reason: keep([answerWords(answer)]) }]
    const middle = Math.ceil(lines.length / 2)
    const before = await writeOrBlame(lines.slice(0, middle), signal)
    return [...before, ...(await writeOrBlame(lines.slice(middle), signal))]
  }

  return {
    most,
    gatherMs: 0,
    async send(batch, signal) {
      const lines: Line[] = []
      const refused: Refused[] = []
      for (const [index, message] of batch.entries()) {
        const text = lineOf(message, measurement)
        if (text === undefined) refused.push({ index, reason: kept('消息中没有可写入的数值、文字或开关') })
        else lines.push({ index, text })
      }
      if (lines.length > 0) refused.push(...(await writeOrBlame(lines, signal)))
      return refused.sort((a, b) => a.index - b.index)
    },
    async close() {
      line.close()
    },
  }
}

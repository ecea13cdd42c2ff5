/** A receiver of forwarded batches as a process of its own: counts messages, and how late they are. Commands come on stdin. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

let count = 0
let lags: number[] = []

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  response.end('{}')
  const [, more = '0'] = String(request.headers['x-ithings-delivery']).split('+')
  count += Number(more) + 1
  const now = Date.now()
  // One of a batch is enough, the oldest: a sample of those that waited longest.
  const time = /"time":(\d+)/.exec(Buffer.concat(chunks).subarray(0, 500).toString())?.[1]
  if (time !== undefined) lags.push(now - Number(time))
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

for await (const command of createInterface({ input: process.stdin })) {
  if (command === 'forget') [count, lags] = [0, []]
  else console.log(JSON.stringify({ count, lags }))
}

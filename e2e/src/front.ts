/** A proxy in front of a platform that can hand out a newer service worker, as the next version of the product would. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Platform } from './platform.ts'

export interface Front {
  /** The platform as browsers see it through the proxy. */
  platform: Platform
  /** From now on the worker's script differs from the one before. */
  release(): void
  close(): void
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

export async function openFront(target: Platform): Promise<Front> {
  let version = 1
  const forward = (from: IncomingMessage, to: ServerResponse) => {
    const worker = from.url?.endsWith('/sw.js') ?? false
    const { 'accept-encoding': encoding, ...headers } = from.headers
    const options = { method: from.method, headers: worker ? headers : { ...headers, 'accept-encoding': encoding } }
    const onward = request(new URL(from.url ?? '/', target.origin), options, async (answer) => {
      // Either side may go in the middle of an answer, and takes the other one along.
      answer.on('error', () => to.destroy())
      if (!worker) {
        to.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(to)
        return
      }
      const text = await textOf(answer).catch(() => undefined)
      if (text === undefined) return
      const script = `${text}\n// version ${version}\n`
      to.writeHead(answer.statusCode ?? 502, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' })
      to.end(script)
    })
    onward.on('error', () => to.destroy())
    from.pipe(onward)
  }
  const server = createServer(forward)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    platform: { ...target, origin, consoleUrl: target.consoleUrl.replace(target.origin, origin) },
    release: () => {
      version++
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

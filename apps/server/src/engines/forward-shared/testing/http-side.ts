/** Somebody else's HTTP server: hears requests and answers as it is told. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'

export interface Heard {
  path: string
  headers: IncomingHttpHeaders
  /** Unpacked. */
  body: string
}

export interface HttpSide {
  port: number
  heard: Heard[]
  kill(): Promise<void>
  startAgain(): Promise<void>
}

export interface HttpReply {
  status: number
  body?: string
  headers?: Record<string, string>
}

export async function startHttpSide(
  close: (end: () => Promise<void>) => void,
  answer: (heard: Heard) => HttpReply = () => ({ status: 204 }),
): Promise<HttpSide> {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const packed = Buffer.concat(chunks)
    const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(packed) : packed).toString('utf8')
    const one = { path: request.url ?? '', headers: request.headers, body }
    heard.push(one)
    const reply = answer(one)
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const at = server.address()
    return typeof at === 'object' && at ? at.port : 0
  }
  const kill = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const port = await listen(0)
  close(kill)
  return { port, heard, kill, startAgain: async () => void (await listen(port)) }
}

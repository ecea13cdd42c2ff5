/** What the transport itself lets through, with the certificate of a test. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { makeTestCertificate } from '../engines/aedes/testing/test-certificate.ts'
import { makeHttpServer } from './server.ts'

let server: Awaited<ReturnType<typeof makeHttpServer>>
afterEach(() => server.close())

async function open(tls: { cert: Buffer; key: Buffer } | undefined): Promise<number> {
  server = await makeHttpServer({ log: pino({ level: 'silent' }), trustProxy: false, corsOrigins: [], tls })
  server.post('/', async (request) => ({ got: request.body }))
  await server.listen({ port: 0, host: '127.0.0.1' })
  return (server.server.address() as AddressInfo).port
}

/** All that comes back until the other side hangs up. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => undefined)
  socket.write(text)
  await once(socket, 'close')
  return answer
}

/** The version that both agree on, or the reason why they do not. */
const agree = (port: number, version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'): Promise<string> =>
  new Promise((resolve) => {
    const socket: TLSSocket = connectTls({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      minVersion: version,
      // Without it this client would not even offer the old ones.
      ciphers: 'DEFAULT@SECLEVEL=0',
      ...(version === 'TLSv1.3' ? {} : { maxVersion: version }),
    })
    socket.once('secureConnect', () => {
      resolve(socket.getProtocol() ?? '')
      socket.destroy()
    })
    socket.once('error', () => resolve('refused'))
  })

test('HTTPS is TLS 1.2 and 1.3 and nothing older', async () => {
  const port = await open(makeTestCertificate())
  expect(await agree(port, 'TLSv1.1')).toBe('refused')
  expect(await agree(port, 'TLSv1.2')).toBe('TLSv1.2')
  expect(await agree(port, 'TLSv1.3')).toBe('TLSv1.3')
})

test('where HTTPS is spoken plain HTTP is neither served nor redirected', async () => {
  const port = await open(makeTestCertificate())
  expect(await exchange(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')).not.toMatch(
    /HTTP\/1.1 [23]/,
  )
})

test('a request whose end can be read in two ways is refused, and what follows it is not a second one', async () => {
  const port = await open(undefined)
  const hidden = 'POST /hidden HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'
  for (const head of [
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Content-Length: 5\r\nContent-Length: 0',
    'Transfer-Encoding: chunked, identity',
  ]) {
    const answer = await exchange(port, `POST / HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n0\r\n\r\n${hidden}`)
    expect([head, answer.match(/HTTP\/1.1 \d+/g)]).toEqual([head, ['HTTP/1.1 400']])
  }
})

/** deploy/haproxy.cfg and the one of the chart, read by a real HAProxy; and what devices get through it, with TLS and without. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type Server } from 'node:http'
import { get as getHttps } from 'node:https'
import { type AddressInfo, createServer, type Server as TcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestCertificate } from '../../../apps/server/src/engines/aedes/testing/test-certificate.ts'
import { findProgram, mayMiss, programEnv } from '../../../scripts/debian-programs.mjs'
import { root } from '../platform.ts'
import { type Balancer, startBalancer } from './balancer.ts'

let folder: string
let certificate: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ithings-balancer-'))
  certificate = join(folder, 'tls.crt')
  const { cert, key } = makeTestCertificate()
  await writeFile(certificate, cert)
  await writeFile(join(folder, 'tls.key'), key)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const shipped = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')
/** As Helm writes it for one server. */
const ofChart = () =>
  shipped('helm/ithings-core/files/haproxy.cfg')
    .replace(/\{\{- range.*\{\{- end \}\}/s, '    server server-0 127.0.0.1:1883 check')
    .replaceAll(/\{\{.*maxConnections.*\}\}/g, '1000')
    .replaceAll(/^\{\{.*\}\}$/gm, '')

const without = findProgram('haproxy') === undefined && mayMiss()
const options = (tls: string) => ({ env: { ...programEnv('haproxy'), TLS_CRT: tls } })

describe.skipIf(without)('HAProxy', () => {
  test.each([
    ['deploy/haproxy.cfg', () => shipped('haproxy.cfg')],
    ['the configuration of the chart', ofChart],
  ])('accepts %s, with TLS and without, and refuses a certificate that is not there', async (_, make) => {
    const file = join(folder, 'checked.cfg')
    await writeFile(file, make())
    const check = (tls: string) => promisify(execFile)(findProgram('haproxy') ?? '', ['-c', '-f', file], options(tls))
    for (const tls of ['', certificate]) expect((await check(tls)).stdout).toContain('Configuration file is valid')
    await expect(check(join(folder, 'none.crt'))).rejects.toMatchObject({ stderr: expect.stringContaining('none.crt') })
  })

  describe('in front of three servers', () => {
    let balancer: Balancer
    const open: Array<Server | TcpServer> = []
    /** Which server got a connection, and what it was told first. */
    const got: Array<{ at: number; first: Buffer }> = []
    const portOf = async (server: Server | TcpServer) => {
      open.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return (server.address() as AddressInfo).port
    }

    beforeAll(async () => {
      const servers = await Promise.all(
        [0, 1, 2].map(async (at) => ({
          httpPort: await portOf(createHttpServer((_, response) => response.end(`server ${at}`))),
          mqttPort: await portOf(
            createServer((socket) => {
              socket.on('error', () => undefined)
              let first = Buffer.alloc(0)
              socket.on('data', (chunk) => {
                first = Buffer.concat([first, Buffer.from(chunk)])
                // The head says how long it is; it may come before the CONNECT.
                if (first.length <= 16 || first.length <= 16 + first.readUInt16BE(14)) return
                socket.removeAllListeners('data').resume()
                got.push({ at, first })
                // CONNACK: welcome.
                socket.write(Buffer.from([0x20, 2, 0, 0]))
              })
            }),
          ),
        })),
      )
      balancer = await startBalancer(folder, servers, certificate)
    })
    afterAll(async () => {
      await balancer?.kill()
      for (const server of open) server.close()
    })

    /** The server that a device is led to, and the head of what it is told there. */
    async function lead(clientId: string, url: string) {
      const before = got.length
      const client = await connectAsync(url, { clientId, reconnectPeriod: 0, rejectUnauthorized: false })
      await client.endAsync(true)
      return got.slice(before)
    }

    test('a client id leads to one server, with TLS and without, and the server hears the address of the device', async () => {
      const plain = `mqtt://127.0.0.1:${balancer.mqttPort}`
      const secure = `mqtts://127.0.0.1:${balancer.mqttsPort}`
      await expect.poll(() => lead('first', plain).catch(() => [])).toHaveLength(1)
      const places = new Set<number>()
      for (let i = 0; i < 12; i++) {
        const [one, other] = [await lead(`device-${i}`, plain), await lead(`device-${i}`, secure)]
        expect([one.length, other.length, other[0]?.at]).toEqual([1, 1, one[0]?.at])
        places.add(one[0]?.at ?? -1)
        // The head of the PROXY protocol, version 2, before the CONNECT that TLS has been taken from.
        for (const { first } of [...one, ...other]) {
          expect(first.subarray(0, 12).toString('latin1')).toBe('\r\n\r\n\0\r\nQUIT\n')
          expect(first.includes(`device-${i}`)).toBe(true)
        }
      }
      expect(places.size).toBe(3)
    })

    test('people come by HTTPS', async () => {
      const body = await new Promise<string>((resolve, reject) => {
        const address = `https://127.0.0.1:${balancer.httpsPort}/`
        getHttps(address, { rejectUnauthorized: false }, async (response) => {
          resolve((await response.toArray()).join(''))
        }).on('error', reject)
      })
      expect(body).toMatch(/^server [012]$/)
    })
  })
})

/** The tus protocol as a client speaks it, over a real connection. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { resumableUpload } from '@ithings/contract/features/files.ts'
import type { World } from '#testing/world.ts'

/** Opens the HTTP port. @returns its base address */
export const listen = (world: World): Promise<string> => world.app.http.listen({ host: '127.0.0.1', port: 0 })

const base64 = (text: string) => Buffer.from(text).toString('base64')
const metadataOf = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(',')

export const otaFields = (filename = 'main.bin') => ({ filename, business: 'productManage', scene: 'ota' })

export interface TusClient {
  create(size: number, fields?: Record<string, string>): Promise<Response>
  head(location: string): Promise<Response>
  patch(location: string, offset: number, content: Uint8Array): Promise<Response>
  remove(location: string): Promise<Response>
  /** Sends only the first bytes of what it announces, then breaks the connection. */
  sendAndCut(location: string, offset: number, content: Buffer, announced: number): Promise<void>
  /** The same, but the connection stays open and silent. @returns how to end it */
  sendAndHang(location: string, offset: number, content: Buffer, announced: number): Promise<() => void>
  /** A whole file. @returns the path that it is taken by */
  upload(content: Buffer, filename?: string): Promise<string>
}

export function makeTusClient(base: string, token: string): TusClient {
  const common = { 'tus-resumable': '1.0.0', 'iThings-token': token }
  const at = (location: string) => new URL(location, base)
  const client: TusClient = {
    create: (size, fields = otaFields()) =>
      fetch(at(resumableUpload.path), {
        method: 'POST',
        headers: { ...common, 'upload-length': String(size), 'upload-metadata': metadataOf(fields) },
      }),
    head: (location) => fetch(at(location), { method: 'HEAD', headers: common }),
    patch: (location, offset, content) =>
      fetch(at(location), {
        method: 'PATCH',
        headers: { ...common, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
        body: new Uint8Array(content),
      }),
    remove: (location) => fetch(at(location), { method: 'DELETE', headers: common }),
    async sendAndCut(location, offset, content, announced) {
      const cut = await client.sendAndHang(location, offset, content, announced)
      cut()
    },
    async sendAndHang(location, offset, content, announced) {
      const { hostname, port, pathname } = at(location)
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      const headers = {
        ...common,
        host: hostname,
        'upload-offset': offset,
        'content-type': 'application/offset+octet-stream',
        'content-length': announced,
      }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`PATCH ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`)
      await new Promise((sent) => socket.write(content, sent))
      return () => socket.destroy()
    },
    async upload(content, filename) {
      const created = await client.create(content.length, otaFields(filename))
      const location = created.headers.get('location') ?? ''
      const done = await client.patch(location, 0, content)
      const path = done.headers.get(resumableUpload.filePathHeader)
      if (!path) throw new Error(`upload failed: ${created.status} ${done.status} ${await done.text()}`)
      return path
    },
  }
  return client
}

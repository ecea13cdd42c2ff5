/** A real S3 server on this machine, which checks every signature. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { readS3Place, type S3Place, type S3Settings } from '../s3-place.ts'

const bucket = 'ithings-files'
/** The only account of that server. */
const key = 'S3RVER'

export interface S3Server {
  endpoint: string
  /** @param folder within the bucket: a store of its own */
  place(folder: string, changes?: Partial<S3Settings>): S3Place
  /** Uploads in parts that were begun and neither finished nor given up. */
  begun(): Promise<string[]>
  /** The next calls are answered so, whatever they ask. */
  stumble(calls: number, status: number): void
  close(): Promise<void>
}

/** An object is there when it is whole. This server writes into the object itself, which no other S3 server does. */
function showWholeObjects({ store }: S3rver, writing: string): void {
  const write = store.putContent.bind(store)
  store.putContent = async (path, content) => {
    const beside = join(writing, randomUUID())
    const written = await write(beside, content)
    await rename(beside, path)
    return written
  }
}

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'ithings-s3-'))
  const writing = await mkdtemp(join(tmpdir(), 'ithings-s3-writing-'))
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: bucket }] }
  const server = new S3rver(options)
  showWholeObjects(server, writing)
  const uploads = join(directory, bucket, '._S3rver_uploads')
  let stumbling = { calls: 0, status: 500 }
  server.middleware.unshift(async (context, next) => {
    const { method, query } = context
    if (stumbling.calls > 0) {
      stumbling.calls--
      context.status = stumbling.status
      context.body = '<Error><Code>Stumbled</Code><Message>try again</Message></Error>'
      return
    }
    await next().catch(async (error: { code?: string }) => {
      // It looks at the signature, but cannot give up an upload in parts, which every other S3 server can.
      if (method !== 'DELETE' || !query.uploadId || error.code !== 'MethodNotAllowed') throw error
      await rm(join(uploads, query.uploadId), { recursive: true })
      context.status = 204
    })
  })
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    place: (folder, changes = {}) =>
      readS3Place({
        url: `s3://${bucket}/${folder}`,
        endpoint,
        publicEndpoint: undefined,
        region: 'us-east-1',
        accessKeyId: key,
        secretAccessKey: key,
        credentialsFile: undefined,
        ...changes,
      }),
    begun: () => readdir(uploads).catch(() => []),
    stumble: (count, status) => {
      stumbling = { calls: count, status }
    },
    async close() {
      server.httpServer.closeAllConnections()
      await server.close()
      for (const folder of [directory, writing]) await rm(folder, { recursive: true, force: true })
    },
  }
}

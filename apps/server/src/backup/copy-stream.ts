/** COPY as streams: a table of any size passes through a few small blocks. */
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type pg from 'pg'

interface CopyConnection {
  stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

const blockBytes = 64 * 1024

/** pg takes anything that can be submitted; its types know queries of its own only. */
const submit = (client: pg.Client, query: object): void => void client.query(query as pg.Submittable)

/** Ends a connection in the middle of a COPY, which could otherwise only be read to its end. */
export const cutConnection = (client: pg.Client): void =>
  void (client as unknown as { connection: CopyConnection }).connection.stream.destroy()

/** Rows are gathered into blocks, because the driver's own memory is good for the moment of the call only. */
function makeBlocks(full: (block: Buffer) => void) {
  let block = Buffer.allocUnsafe(blockBytes)
  let used = 0
  const flush = () => {
    if (used === 0) return
    full(block.subarray(0, used))
    block = Buffer.allocUnsafe(blockBytes)
    used = 0
  }
  return {
    flush,
    add(bytes: Buffer) {
      for (let from = 0; from < bytes.length; ) {
        const copied = bytes.copy(block, used, from)
        from += copied
        used += copied
        if (used === blockBytes) flush()
      }
    },
  }
}

export function copyOut(client: pg.Client, statement: string): Readable {
  let socket: Socket | undefined
  let failed = false
  const out = new Readable({ highWaterMark: 4 * blockBytes, read: () => void socket?.resume() })
  // Who reads later is told then; a failure before that must not end the process.
  out.on('error', () => undefined)
  const blocks = makeBlocks((block) => {
    if (!out.push(block)) socket?.pause()
  })
  submit(client, {
    submit(connection: CopyConnection) {
      socket = connection.stream
      connection.query(statement)
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      if (!out.destroyed) blocks.add(chunk)
    },
    handleCommandComplete() {},
    handleError(error: Error) {
      failed = true
      out.destroy(error)
    },
    handleReadyForQuery() {
      if (failed || out.destroyed) return
      blocks.flush()
      out.push(null)
    },
  })
  return out
}

const drained = (stream: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })

/** Returns the rows that the server took. */
export const copyIn = (client: pg.Client, statement: string, source: AsyncIterable<Buffer>): Promise<number> =>
  new Promise((resolve, reject) => {
    let failed = false
    let rows = 0
    const pump = async (connection: CopyConnection) => {
      try {
        for await (const chunk of source) {
          // The server drops what follows a failure (protocol, "COPY Operations"): no reason to send it.
          if (failed) return
          connection.sendCopyFromChunk(chunk)
          const { stream } = connection
          if (stream.writableNeedDrain && !stream.destroyed) await drained(stream)
        }
        connection.endCopyFrom()
      } catch (error) {
        reject(error)
        connection.sendCopyFail('the source failed')
      }
    }
    submit(client, {
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) => void pump(connection),
      handleCommandComplete({ text }: { text: string }) {
        rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? Number.NaN)
      },
      handleError(error: Error) {
        failed = true
        reject(error)
      },
      handleReadyForQuery() {
        if (!failed) resolve(rows)
      },
    })
  })

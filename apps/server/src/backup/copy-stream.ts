/** COPY as streams: a table of any size passes through a few small blocks. */
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'

/** Ends a connection in the middle of a COPY, which could otherwise only be read to its end. */
export const cutConnection = (client: pg.Client): void =>
  void (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()

export function copyOut(client: pg.Client, statement: string): Readable {
  const rows = client.query(to(statement))
  // Who reads later is told then, and a failure before that does not end the process: the stream itself only says it once.
  rows.once('error', (error) => rows.destroy(error)).on('error', () => undefined)
  return rows
}

export const copyIn = (client: pg.Client, statement: string, source: AsyncIterable<Buffer>): Promise<void> =>
  pipeline(source, client.query(from(statement)))

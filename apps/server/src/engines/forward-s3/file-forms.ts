/** Messages as a file: the same messages make the same bytes. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as breathe } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import type { BasicType } from 'hyparquet-writer'
import type { ForwardMessage } from '#ports/forward-target.ts'

export interface FileForm {
  ending: string
  contentType: string
  encode(messages: readonly ForwardMessage[]): Promise<Uint8Array>
}

/** So many are made into bytes without a break: others wait so long for the processor. */
const groupSize = 1_000

/** In groups, with a break after each. */
async function* groupsOf(messages: readonly ForwardMessage[]): AsyncGenerator<ForwardMessage[]> {
  for (let from = 0; from < messages.length; from += groupSize) {
    yield messages.slice(from, from + groupSize)
    await breathe()
  }
}

/** A body is one line; what a script made may hold some of its own. */
const lineOf = ({ body }: ForwardMessage): string => `${body.replace(/\r?\n/g, ' ')}\n`

async function* linesOf(messages: readonly ForwardMessage[]): AsyncGenerator<string> {
  for await (const group of groupsOf(messages)) yield group.map(lineOf).join('')
}

const ndjson: FileForm = {
  ending: 'ndjson.gz',
  contentType: 'application/gzip',
  encode: (messages) => buffer(Readable.from(linesOf(messages)).compose(createGzip())),
}

const columns: Array<[name: string, type: BasicType, of: (message: ForwardMessage) => unknown]> = [
  ['time', 'TIMESTAMP', ({ time }) => new Date(time)],
  ['id', 'STRING', ({ id }) => id],
  ['source', 'STRING', ({ source }) => source],
  ['product_id', 'STRING', ({ productID }) => productID],
  ['device_name', 'STRING', ({ deviceName }) => deviceName],
  ['identifier', 'STRING', ({ identifier }) => identifier],
  ['body', 'STRING', ({ body }) => body],
]
/** Nothing repeats in these: to look for what does would take half of the time. */
const distinct = new Set(['time', 'id', 'body'])
const columnsOf = (messages: readonly ForwardMessage[]) =>
  columns.map(([name, type, of]) => ({
    ...{ name, type, nullable: false, data: messages.map(of), offsetIndex: false, statistics: name !== 'body' },
    ...(distinct.has(name) && { encoding: 'PLAIN' as const }),
  }))

const parquet: FileForm = {
  ending: 'parquet',
  contentType: 'application/vnd.apache.parquet',
  async encode(messages) {
    const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer')
    const writer = new ByteWriter()
    const schema = schemaFromColumnData({ columnData: columnsOf([]) })
    const file = new ParquetWriter({ writer, schema, createdBy: 'iThings Core' })
    for await (const group of groupsOf(messages)) {
      await file.write({ columnData: columnsOf(group), rowGroupSize: group.length })
    }
    await file.finish()
    return writer.getBytes()
  },
}

export const fileForms: Record<SettingsOf<'s3'>['format'], FileForm> = { ndjson, parquet }

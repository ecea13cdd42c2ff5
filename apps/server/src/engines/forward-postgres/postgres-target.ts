/** Messages as rows of a table: a batch is one statement, and a row that is there already is left alone. */
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import { kept } from '@ithings/contract/text.ts'
import { saidBy } from '#engines/forward-shared/away.ts'
import { chunksOf, halvesOf, type Placed, placed } from '#engines/forward-shared/chunks.ts'
import { throwIfStopped } from '#engines/forward-shared/reach.ts'
import type { ForwardMessage, ForwardTarget, ForwardTools, OpenTarget, Refused } from '#ports/forward-target.ts'
import { awayFor, blamesRow } from './faults.ts'
import { type DatabaseLine, openLine } from './open-line.ts'
import { columnsOf, createSchema, createTable, insertRows, lookAround, makeHypertable, tableOf } from './statements.ts'

const most = 2_000
/** Of bodies in one statement. */
const mostBytes = 8 * 1024 * 1024
/** A connection that is asked to end has so long. */
const endMs = 1_000

interface Found {
  table: boolean
  schema: boolean
  timescale: string | null
}

/** Only what is missing is made: who may write need not be allowed to create. */
async function prepare({ client }: DatabaseLine, settings: SettingsOf<'postgres'>): Promise<void> {
  const { rows } = await client.query<Found>(lookAround, [tableOf(settings), settings.schema])
  const [found] = rows
  if (!found || found.table || !settings.create) return
  await client.query('begin')
  try {
    if (!found.schema) await client.query(createSchema(settings))
    await client.query(createTable(settings))
    if (found.timescale !== null) await client.query(makeHypertable(settings, found.timescale))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** The one line that is open, or about to be. */
function makeLines(settings: SettingsOf<'postgres'>, tools: ForwardTools) {
  let open: DatabaseLine | undefined
  const drop = () => {
    open?.cut()
    open = undefined
  }
  return {
    drop,
    /** A line that is not ready in the end is to be dropped. */
    async take(signal: AbortSignal): Promise<DatabaseLine> {
      if (open) return open
      const line = await openLine(settings, tools, signal)
      open = line
      line.client.once('end', () => {
        if (open === line) open = undefined
      })
      await prepare(line, settings)
      return line
    },
    async close(): Promise<void> {
      const line = open
      if (!line) return
      const late = setTimeout(line.cut, endMs)
      await line.client.end().catch(() => undefined)
      clearTimeout(late)
      drop()
    },
  }
}

export const openPostgresTarget: OpenTarget<'postgres'> = (settings, tools): ForwardTarget => {
  const lines = makeLines(settings, tools)
  const text = insertRows(settings)
  const closing = new AbortController()

  /** Halves what is refused until the row that is to blame is alone: the statement as a whole has left nothing. */
  async function insert(messages: readonly Placed[], signal: AbortSignal): Promise<Refused[]> {
    const { client } = await lines.take(signal)
    throwIfStopped(signal)
    try {
      const values = columnsOf(messages.map(({ message }) => message))
      await client.query(text, values)
      return []
    } catch (error) {
      if (!blamesRow(error)) throw error
      const [first] = messages
      if (messages.length === 1 && first) {
        const values = { message: saidBy(error.message), code: error.code }
        return [{ index: first.index, reason: kept('数据库拒绝了这条消息：{message}（{code}）', values) }]
      }
      const [left, right] = halvesOf(messages)
      return [...(await insert(left, signal)), ...(await insert(right, signal))]
    }
  }

  async function send(batch: readonly ForwardMessage[], ended: AbortSignal): Promise<Refused[]> {
    const signal = AbortSignal.any([ended, closing.signal])
    throwIfStopped(signal)
    signal.addEventListener('abort', lines.drop)
    const refused: Refused[] = []
    try {
      const size = ({ body }: ForwardMessage) => body.length
      for (const chunk of chunksOf(placed(batch), most, mostBytes, size)) refused.push(...(await insert(chunk, signal)))
      return refused
    } catch (error) {
      // Also after an answer: what is missing is looked for when the next one opens.
      lines.drop()
      throwIfStopped(signal)
      throw awayFor(settings, error)
    } finally {
      signal.removeEventListener('abort', lines.drop)
    }
  }

  return {
    most,
    gatherMs: 0,
    send,
    async close() {
      closing.abort()
      await lines.close()
    },
  }
}

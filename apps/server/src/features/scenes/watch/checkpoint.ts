/**
 * Messages that were stored but not looked at when a server died are looked at again: each server keeps a mark, and
 * what it received since is in the journal. To look twice is harmless, because a message fires a scene once (scene_run).
 */
import { sql } from 'kysely'
import type { Loop } from '#background/loop.ts'
import type { Common } from '#common-deps.ts'
import { JournalKind, traceIDOf } from '#ports/journal.ts'
import type { Fact } from '../engine/engine-types.ts'

const markMs = 1_000
/** A message is told of at most this long after its receipt: storing gives up after 5 s. */
const settledMs = 10_000
/** A server that is alive moves its mark each second. */
const deadAfterMs = 60_000
const lookMs = 30_000
const rowsAtOnce = 1_000
/** seq is the number of the server and 24 bits of counter (engines/pg-journal). */
const seqsOfNode = 2 ** 24

interface Row {
  at: number
  seq: number
  device_id: number
  device_name: string
  device_time: number
  kind: number
  product_id: string
  data_id: string
  content: string
}

function factOf(row: Row): Fact {
  const device = { productID: row.product_id, deviceName: row.device_name, deviceID: row.device_id }
  const common = { device, at: row.device_time || row.at, traceID: traceIDOf(row) }
  const content: Record<string, unknown> = JSON.parse(row.content)
  return row.kind === JournalKind.event
    ? { ...common, kind: 'event', eventID: row.data_id, params: content }
    : { ...common, kind: 'values', values: content }
}

/** Which messages came late at that time is forgotten; of those that are replayed the late ones can be left out. */
function makeLateFilter() {
  const newest = new Map<string, number>()
  return (fact: Fact): Fact | undefined => {
    if (fact.kind !== 'values') return fact
    const news = Object.entries(fact.values).filter(([id]) => {
      const key = `${fact.device.deviceID}/${id}`
      if ((newest.get(key) ?? 0) > fact.at) return false
      newest.set(key, fact.at)
      return true
    })
    return news.length > 0 ? { ...fact, values: Object.fromEntries(news) } : undefined
  }
}

export interface CheckpointDeps extends Common<'db' | 'clock' | 'log' | 'background'> {
  node: number
  /** When the oldest message came that is still being looked at; undefined: none is. */
  oldest(): number | undefined
  replay(fact: Fact): void
  /** Resolves when there is room for more. */
  room(): Promise<void>
}

export function makeCheckpoint({ db, clock, log, background, node, oldest, replay, room }: CheckpointDeps) {
  let lookedAt = 0
  let loop: Loop | undefined

  const replaySince = async (of: number, since: number, until: number): Promise<number> => {
    const isNews = makeLateFilter()
    let count = 0
    for (let at = since, seq = -1; ; ) {
      const { rows } = await sql<Row>`
        select at, seq, device_id, device_name, device_time, kind, journal.product_id, data_id, content
        from journal join device using (device_id)
        where at >= ${at} and at < ${until} and (at, seq) > (${at}, ${seq}) and adds
          and seq >= ${of * seqsOfNode} and seq < ${(of + 1) * seqsOfNode}
        order by at, seq limit ${rowsAtOnce}`.execute(db)
      for (const row of rows) {
        const fact = isNews(factOf(row))
        if (fact) replay(fact)
      }
      await room()
      count += rows.length
      const last = rows.at(-1)
      if (!last || rows.length < rowsAtOnce) return count
      at = last.at
      seq = last.seq
    }
  }

  const lookAgain = async (of: number, since: number) => {
    const count = await replaySince(of, since, clock.now())
    if (count > 0) log.info({ messages: count, node: of }, 'messages of a server that died were looked at again')
    // Unless it came back and moves its mark itself.
    if (of !== node) {
      await sql`delete from scene_checkpoint where node = ${of} and until_at = ${since}`.execute(db)
    }
  }

  const lookForDead = async () => {
    lookedAt = clock.now()
    const rows = await db
      .selectFrom('scene_checkpoint')
      .selectAll()
      .where('node', '<>', node)
      .where('until_at', '<', lookedAt - deadAfterMs)
      .execute()
    for (const row of rows) await lookAgain(row.node, row.until_at)
  }

  /** A clock that is set right again takes its mark back with it. */
  const mark = async () => {
    const until = Math.min(clock.now(), oldest() ?? Number.POSITIVE_INFINITY) - settledMs
    await sql`
      insert into scene_checkpoint (node, until_at) values (${node}, ${until})
      on conflict (node) do update set until_at = excluded.until_at`.execute(db)
  }

  const beat = async () => {
    await mark()
    if (clock.now() - lookedAt >= lookMs) await lookForDead()
  }

  return {
    async start() {
      const own = await db.selectFrom('scene_checkpoint').selectAll().where('node', '=', node).executeTakeFirst()
      if (own) await lookAgain(node, own.until_at)
      await lookForDead()
      await mark()
      loop = background.every({ name: 'scenes.checkpoint', everyMs: markMs, firstMs: markMs, run: beat })
    },
    /** @param until everything before has been looked at; devices may go on speaking for a moment */
    async stop(until: number | undefined) {
      await loop?.stop()
      if (until === undefined) return
      await sql`update scene_checkpoint set until_at = ${until} where node = ${node}`.execute(db)
    },
  }
}

export type Checkpoint = ReturnType<typeof makeCheckpoint>

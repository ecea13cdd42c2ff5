/**
 * Whether the operation log is as it was written: walks its chain (migration 0025) from what retention took last to the
 * newest entry, in one snapshot. The hashes are computed here and not by the database, which is what is being checked.
 */
import { createHash } from 'node:crypto'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

const stepRows = 2_000

export interface Link {
  id: number
  hash: Buffer
}

interface Entry extends Link {
  /** What is hashed: the columns in the order of operation_log_content, as texts. */
  content: string[]
}

export interface ChainReport {
  entries: number
  first: number
  head: Link
  /** The first place that does not fit; undefined: unbroken. */
  broken: Phrase | undefined
}

const linked = (before: Buffer, { content, hash }: Entry): boolean =>
  createHash('sha256').update(before).update(JSON.stringify(content)).digest().equals(hash)

const takenOut = (from: number, to: number): Phrase =>
  from === to ? phrase('第 {from} 条被删除', { from }) : phrase('第 {from} 至 {to} 条被删除', { from, to })

/** What happened at an entry that does not follow from the one before it. */
function judge(before: Link, entry: Entry, next: Entry | undefined, head: Link): Phrase {
  const { id } = entry
  if (id > head.id || (next && linked(before.hash, next))) return phrase('第 {id} 条是后来插入的', { id })
  if (id > before.id + 1) return takenOut(before.id + 1, id - 1)
  return phrase('第 {id} 条被修改', { id })
}

function judgeEnd(last: Link, head: Link): Phrase | undefined {
  const [from, to] = [last.id + 1, head.id]
  if (from === to) return phrase('末尾的第 {from} 条被删除', { from })
  if (from < to) return phrase('末尾的第 {from} 至 {to} 条被删除', { from, to })
  if (last.id > head.id || !last.hash.equals(head.hash)) return phrase('第 {id} 条不是最后写入的那条', { id: last.id })
  return undefined
}

async function readEntries(db: Db, after: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select id, hash, array[id::text, user_id::text, user_name, oper_name, business_type::text, uri, ip_addr, location,
      req, resp, code::text, msg, duration_ms::text, request_id,
      (extract(epoch from created_at) * 1000000)::bigint::text] as content
    from operation_log where id > ${after} order by id limit ${stepRows}`.execute(db)
  return rows
}

/** `noted` is an entry with the hash that somebody wrote down earlier, outside the database. */
export const checkChain = (db: Db, progress: (entries: number) => void, noted?: Link): Promise<ChainReport> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const chain = await snapshot.selectFrom('operation_log_chain').selectAll().executeTakeFirstOrThrow()
      const head = { id: chain.head_id, hash: chain.head_hash }
      let last: Link = { id: chain.anchor_id, hash: chain.anchor_hash }
      const report: ChainReport = { entries: 0, first: 0, head, broken: undefined }
      if (noted && noted.id > head.id) return { ...report, broken: phrase('记下的第 {id} 条被删除', { id: noted.id }) }
      for (
        let rows = await readEntries(snapshot, last.id);
        rows.length > 0;
        rows = await readEntries(snapshot, last.id)
      ) {
        for (const [at, entry] of rows.entries()) {
          if (!linked(last.hash, entry)) {
            const next = rows[at + 1] ?? (await readEntries(snapshot, entry.id))[0]
            return { ...report, broken: judge(last, entry, next, head) }
          }
          if (entry.id === noted?.id && !entry.hash.equals(noted.hash))
            return { ...report, broken: phrase('第 {id} 条不是记下的那条', { id: entry.id }) }
          report.first ||= entry.id
          report.entries++
          last = { id: entry.id, hash: entry.hash }
        }
        progress(report.entries)
      }
      return { ...report, broken: judgeEnd(last, head) }
    })

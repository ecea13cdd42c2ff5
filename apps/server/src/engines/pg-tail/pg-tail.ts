/** The tails of journal, alarms and operation log over PostgreSQL. Rules that are equally far share what is read. */
import type pg from 'pg'
import type { JournalKind } from '#ports/journal.ts'
import type { AlarmRow, OperationRow, Portion, Tail, TailRow } from '#ports/journal-tail.ts'
import { countSince } from './count-since.ts'
import { makeSnapshots, readSince, type TailTable, Width } from './read-since.ts'

/** A row in three texts: the driver's work is by column, and most of a row is short. */
interface StoredRow {
  /** Numbers, product and identifier; only the last may hold a comma. */
  head: string
  content: string
  /** Of lines that add nothing to the history, as JSON. */
  said: string | null
}

const journal: Omit<TailTable<StoredRow, TailRow>, 'values'> = {
  name: 'journal',
  select: `select concat_ws(',', at, seq, coalesce(xid, '0'), device_id, kind, device_time, adds::integer, log_days, product_id,
      data_id) as head, content,
    case when not adds then json_build_array(up, method, token, code, msg)::text end as said from journal`,
  at: 'journal.at',
  number: 'journal.seq',
  xid: 'journal.xid',
  where: 'kind = any($1::smallint[])',
  placeOf({ head }) {
    const [at, seq, xid = '0'] = head.split(',', 3)
    return [xid, Number(at), Number(seq)]
  },
  read({ head, content, said }) {
    const [at, seq, , deviceID, kind, deviceTime, adds, logDays, productID = '', ...dataID] = head.split(',')
    return {
      at: Number(at),
      seq: Number(seq),
      deviceID: Number(deviceID),
      productID,
      kind: Number(kind) as JournalKind,
      deviceTime: Number(deviceTime),
      content,
      dataID: dataID.join(','),
      adds: adds === '1',
      logDays: Number(logDays),
      said: said === null ? undefined : saidOf(JSON.parse(said) as Parameters<typeof saidOf>[0]),
    }
  },
}

function saidOf([up, method, token, code, msg]: [boolean, string, string, number, string]): NonNullable<
  TailRow['said']
> {
  return { up, method, token, code, msg }
}

type Stored<Row> = Row & { xid: string | null }

/** Two tables as one: the numbers of one are even, of the other odd. */
const alarms: TailTable<Stored<AlarmRow>, AlarmRow> = {
  name: 'alarms',
  select: `select happened.at::float8, happened.number::float8, happened.xid::text, happened.act, happened.text,
    happened."userName", record.id as "recordID", alarm.id as "alarmID", alarm.name as "alarmName", record.level,
    record.product_id as "productID", record.device_name as "deviceName", record.scene_id as "sceneID",
    record.scene_name as "sceneName", coalesce(device.device_id, 0)::float8 as "deviceID"
  from (
    select created_at as at, id * 2 as number, xid, alarm_record_id, 'raised' as act, description as text, '' as "userName"
    from alarm_log
    union all
    select created_at, id::bigint * 2 + 1, xid, alarm_record_id, 'dealt', result, user_name from alarm_deal
  ) happened
  join alarm_record record on record.id = happened.alarm_record_id join alarm on alarm.id = record.alarm_id
  left join device on device.product_id = record.product_id and device.device_name = record.device_name`,
  at: 'happened.at',
  number: 'happened.number',
  xid: 'happened.xid',
  where: 'true',
  values: [],
  placeOf: ({ xid, at, number }) => [xid ?? '0', at, number],
  read: (row) => row,
}

const operations = `
  select id::float8, floor(extract(epoch from created_at) * 1000)::float8 as at, user_name as "userName", oper_name as name, uri,
    ip_addr as address, code, msg, req
  from operation_log where id > $1 and id <= (select head_id from operation_log_chain) order by id limit $2`

const lastOperation = `
  select coalesce((select max(id) from operation_log where created_at < to_timestamp($1::float8 / 1000)),
    (select anchor_id from operation_log_chain))::float8 as id`
const newestOperation = 'select head_id::float8 as id from operation_log_chain'

/** So many portions are remembered: rules that wait at the end of the journal all ask for the same one. */
const mostRemembered = 8
/** Whoever asks within it shares a snapshot. */
const usualMomentMs = 50

export function makePgTail(pool: pg.Pool, momentMs = usualMomentMs): Tail {
  const snapshotNow = makeSnapshots(pool, momentMs)
  const [journalWidth, alarmWidth] = [new Width(), new Width()]
  const remembered = new Map<string, Promise<Portion<TailRow>>>()

  const readJournal = (...[place, kinds, most]: Parameters<Tail['journal']>): Promise<Portion<TailRow>> =>
    readSince(pool, snapshotNow, { table: { ...journal, values: [kinds] }, width: journalWidth }, place, most)

  return {
    async begin(since) {
      // Not one of a moment ago: what was there before a rule is not its own.
      const { snapshot: seen, at: seenAt } = await makeSnapshots(pool, momentMs)()
      return { seen, seenAt, ...(since !== undefined && { since: [since, -1] as [number, number] }) }
    },
    async lastOperation(before) {
      const { rows } = await (before === undefined
        ? pool.query<{ id: number }>(newestOperation)
        : pool.query<{ id: number }>(lastOperation, [before]))
      return rows[0]?.id ?? 0
    },
    journal(place, kinds, most) {
      const key = JSON.stringify([place, kinds, most])
      const known = remembered.get(key)
      if (known !== undefined) return known
      const reading = readJournal(place, kinds, most)
      remembered.set(key, reading)
      // What was empty may not be so the next time.
      const forget = () => remembered.delete(key)
      reading.then(({ rows }) => rows.length === 0 && forget(), forget)
      const [oldest] = remembered.keys()
      if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest)
      return reading
    },
    alarms: (place, most) => readSince(pool, snapshotNow, { table: alarms, width: alarmWidth }, place, most),
    countJournal: (place, kinds, most) => countSince(pool, { ...journal, values: [kinds] }, place, most),
    countAlarms: (place, most) => countSince(pool, alarms, place, most),
    async operations(after, most) {
      return (await pool.query<OperationRow>(operations, [after, most])).rows
    },
  }
}

/** What people do about records: handle, ignore, claim. Several at once: what cannot be done is named. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { type BulkDealResult, DealState, DealType, dealResults } from '@ithings/contract/features/alarms/record.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { AlarmRecordTable } from '#db/tables/alarms.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
import { unknownRecord } from './store.ts'

type RecordRow = Selectable<AlarmRecordTable>

/** In the order in which raising and clearing lock them, so that nobody waits in a ring. */
const lockRecords = (db: Db, ids: number[]): Promise<RecordRow[]> =>
  db
    .selectFrom('alarm_record')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy('alarm_id')
    .orderBy('id')
    .forUpdate()
    .execute()

interface Dealing {
  user: SignedInUser
  result: string
}

async function markHandled(db: Db, rows: RecordRow[], { user, result }: Dealing, now: number): Promise<void> {
  if (rows.length === 0) return
  await db
    .updateTable('alarm_record')
    .set({ deal_state: DealState.handled, dealt_at: now, dealt_by: user.userName, deal_result: result })
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  await db
    .insertInto('alarm_deal')
    .values(
      rows.map((row) => ({
        alarm_record_id: row.id,
        result,
        type: DealType.human,
        alarm_time: row.last_alarm,
        user_id: user.userID,
        user_name: user.userName,
        created_at: now,
      })),
    )
    .execute()
}

/** Checks each, does the rest in one transaction, tells the screens. */
async function inBulk(
  deps: AlarmsDeps,
  asked: number[],
  refusal: (row: RecordRow) => string | undefined,
  work: (db: Db, rows: RecordRow[]) => Promise<void>,
): Promise<BulkDealResult> {
  const ids = [...new Set(asked)]
  const failed: BulkDealResult['failed'] = []
  const done = await deps.db.transaction().execute(async (db) => {
    const rows = new Map((await lockRecords(db, ids)).map((row) => [row.id, row]))
    const able: RecordRow[] = []
    for (const id of ids) {
      const row = rows.get(id)
      const msg = row ? refusal(row) : kept('告警记录不存在')
      if (msg !== undefined) failed.push({ id, msg })
      else if (row) able.push(row)
    }
    await work(db, able)
    return able.map((row) => row.id)
  })
  if (done.length > 0) deps.bus.emit('alarm.changed', { recordIDs: done, opened: false })
  return { done: done.length, failed }
}

/** Only an open record can be handled (rules.md 5). */
const mustBeOpen = (row: RecordRow) =>
  row.deal_state === DealState.alarming ? undefined : kept('该告警目前不处于告警中,不能处理告警')

export const dealRecords = (deps: AlarmsDeps, ids: number[], dealing: Dealing): Promise<BulkDealResult> =>
  inBulk(deps, ids, mustBeOpen, (db, rows) => markHandled(db, rows, dealing, deps.clock.now()))

/** Handled, with a deal record that says so (decisions.md 2 "Ignoring an alarm"). */
export const ignoreRecords = (deps: AlarmsDeps, ids: number[], user: SignedInUser): Promise<BulkDealResult> =>
  dealRecords(deps, ids, { user, result: dealResults.ignored })

/** One record: the failure is the answer. */
export async function dealRecord(deps: AlarmsDeps, id: number, dealing: Dealing): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (db) => {
    const [row] = await lockRecords(db, [id])
    if (!row) throw unknownRecord(id)
    if (row.deal_state !== DealState.alarming)
      throw new AppError(errors.parameter, { msg: phrase('该告警目前不处于告警中,不能处理告警') })
    await markHandled(db, [row], dealing, now)
  })
  deps.bus.emit('alarm.changed', { recordIDs: [id], opened: false })
}

/** Who comes second is told who was first. */
export function claimRecords(deps: AlarmsDeps, ids: number[], user: SignedInUser): Promise<BulkDealResult> {
  const refusal = (row: RecordRow) => {
    if (row.deal_state !== DealState.alarming) return kept('该告警目前不处于告警中,不能认领')
    return [0, user.userID].includes(row.claim_user_id) ? undefined : kept('已由 {user} 认领', { user: row.claim_user })
  }
  return inBulk(deps, ids, refusal, async (db, rows) => {
    // Claiming again does not move the time.
    const fresh = rows.filter((row) => row.claim_user_id === 0).map((row) => row.id)
    if (fresh.length === 0) return
    await db
      .updateTable('alarm_record')
      .set({ claim_user_id: user.userID, claim_user: user.userName, claimed_at: deps.clock.now() })
      .where('id', 'in', fresh)
      .execute()
  })
}

/** One's own; the administrator frees those of people who are away. */
export function releaseRecords(deps: AlarmsDeps, ids: number[], user: SignedInUser): Promise<BulkDealResult> {
  const refusal = (row: RecordRow) => {
    if (row.claim_user_id === 0) return kept('该告警没有人认领')
    if (row.deal_state !== DealState.alarming) return kept('该告警目前不处于告警中,不能取消认领')
    const allowed = row.claim_user_id === user.userID || user.role === BuiltInRole.admin
    return allowed ? undefined : kept('已由 {user} 认领，只能由本人取消', { user: row.claim_user })
  }
  return inBulk(deps, ids, refusal, async (db, rows) => {
    if (rows.length === 0) return
    await db
      .updateTable('alarm_record')
      .set({ claim_user_id: 0, claim_user: '', claimed_at: 0 })
      .where(
        'id',
        'in',
        rows.map((row) => row.id),
      )
      .execute()
  })
}

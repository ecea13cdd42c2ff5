/** The history of commands: who sent what, and what came back (table device_command). */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { CommandKind, CommandState } from '@ithings/contract/features/commands.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { inWords } from '#db/conflicts.ts'
import { jsonText, storableText } from '#db/json-text.ts'
import { runPrepared } from '#db/run-prepared.ts'
import type { Db } from '#db/schema.ts'
import type { DeviceReply, RequestKind } from '#downlink/pending-replies.ts'
import { type DeviceRefRow, toDeviceRef, unknownDevice } from '#features/devices/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'

/** Who caused it. */
export type CommandSource = 'user' | 'scene' | 'task'

export interface Sender {
  userName: string
  source: CommandSource
}

export const storedKinds = {
  [CommandKind.property]: 'property',
  [CommandKind.action]: 'action',
  [CommandKind.get]: 'get',
  [CommandKind.message]: 'msg',
} as const satisfies Record<CommandKind, string>
export type StoredKind = (typeof storedKinds)[CommandKind]

export interface NewCommand {
  device: DeviceRef
  token: string
  kind: StoredKind
  /** actionID of an action, topic of a message. */
  target: string
  payload: unknown
  by: Sender
  sentAt: number
  /** Finished when it is written: not sent at all, into the shadow, or a message without reply. */
  done?: { code: number; status: string; viaShadow?: boolean }
}

export async function insertCommand(db: Db, command: NewCommand): Promise<void> {
  const { device, by, done, sentAt } = command
  const row = {
    client_token: command.token,
    device_id: device.deviceID,
    kind: command.kind,
    user_name: by.userName,
    source: by.source,
    data_id: command.target,
    payload: JSON.stringify(command.payload),
    sent_at: sentAt,
    ...(done && {
      code: done.code,
      status: storableText(done.status),
      done_at: sentAt,
      via_shadow: done.viaShadow ?? false,
    }),
  }
  // Deleted between our look at it and the write.
  await inWords(runPrepared(db, db.insertInto('device_command').values(row)), {
    device_command_device_id_fkey: () => unknownDevice(device),
  })
}

const timeoutCode = errors.timeout.code
const noReply = sql<boolean>`device_command.reply = 'null'::jsonb`

/** What a row is in; a device that answers with the code of a time-out has answered. */
export function stateOf(row: { done_at: number; code: number; reply: unknown }): CommandState {
  if (row.done_at === 0) return CommandState.waiting
  if (row.code === 200) return CommandState.done
  return row.code === timeoutCode && row.reply === null ? CommandState.timeout : CommandState.failed
}

/** The same as a condition. */
export function inState(state: CommandState) {
  switch (state) {
    case CommandState.waiting:
      return sql<boolean>`device_command.done_at = 0`
    case CommandState.done:
      return sql<boolean>`device_command.done_at > 0 and device_command.code = 200`
    case CommandState.timeout:
      return sql<boolean>`device_command.done_at > 0 and device_command.code = ${timeoutCode} and ${noReply}`
    case CommandState.failed:
      return sql<boolean>`device_command.done_at > 0 and device_command.code <> 200
        and not (device_command.code = ${timeoutCode} and ${noReply})`
  }
}

/** What a device said, as far as the history is concerned. */
export type Answer = Pick<DeviceReply, 'code' | 'msg' | 'data'>

export interface FinishedCommand extends DeviceRef {
  sentAt: number
  kind: StoredKind
  payload: unknown
}

interface FinishedRow extends DeviceRefRow {
  sent_at: number
  kind: StoredKind
  payload: unknown
}

const toFinished = (row: FinishedRow): FinishedCommand => ({
  ...toDeviceRef(row),
  sentAt: row.sent_at,
  kind: row.kind,
  payload: row.payload,
})

const finishedColumns = sql`device.product_id, device.device_name, device.device_id, c.sent_at, c.kind, c.payload`

/** A reply completes the newest command of its token, whether somebody still waits, it timed out, or it was a message. */
export async function completeCommand(
  db: Db,
  deviceID: number,
  token: string,
  reply: Answer,
  at: number,
): Promise<FinishedCommand | undefined> {
  const statement = sql<FinishedRow>`
    update device_command c
    set code = ${reply.code}, status = ${storableText(reply.msg)}, reply = ${jsonText(reply.data ?? null)}::jsonb,
      done_at = ${at}, latency = least(${at} - c.sent_at, 2147483647)
    from device
    where device.device_id = c.device_id and c.id = (
      select id from device_command
      where client_token = ${token} and device_id = ${deviceID}
        and (done_at = 0 or kind = 'msg' or (code = ${timeoutCode} and ${noReply}))
      order by id desc limit 1)
    returning ${finishedColumns}`
  const { rows } = await runPrepared(db, statement)
  return rows[0] && toFinished(rows[0])
}

export const replyTimeout = () => new AppError(errors.timeout, { detail: errors.deviceTimeout.msg })
const timeoutText = replyTimeout().kept()

/** Nobody answered in time; a late reply still completes it. */
export async function timeOutCommand(db: Db, deviceID: number, token: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('device_command')
    .set({ code: timeoutCode, status: timeoutText, done_at: at, latency: sql`least(${at} - sent_at, 2147483647)` })
    .where('device_id', '=', deviceID)
    .where('client_token', '=', token)
    .where('done_at', '=', 0)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Those whose server stopped while they waited. */
export async function timeOutBefore(db: Db, sentBefore: number, waited: number) {
  const { rows } = await sql<FinishedRow & { client_token: string }>`
    update device_command c
    set code = ${timeoutCode}, status = ${timeoutText}, done_at = c.sent_at + ${waited}::bigint, latency = ${waited}
    from device
    where device.device_id = c.device_id and c.done_at = 0 and c.sent_at < ${sentBefore}
    returning ${finishedColumns}, c.client_token`.execute(db)
  return rows.map((row) => ({ ...toFinished(row), token: row.client_token }))
}

/** What the history says about a failure; a fault of ours is not told in detail. */
export const asAppError = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError(errors.system)

/** Ends without a reply, unless one has come meanwhile. */
export async function finishCommand(
  db: Db,
  deviceID: number,
  token: string,
  { code, status }: { code: number; status: string },
  at: number,
): Promise<void> {
  await db
    .updateTable('device_command')
    .set({ code, status: storableText(status), done_at: at, latency: sql`least(${at} - sent_at, 2147483647)` })
    .where('device_id', '=', deviceID)
    .where('client_token', '=', token)
    .where('done_at', '=', 0)
    .execute()
}

/** Of a message written by hand: it is over once it is sent; a reply replaces this. Earlier versions wrote it plainly. */
const plainSentText = '已发送'
export const sentText = kept(plainSentText)

/** The newest of its token that still waits, whose time was up, or that was written by hand and has no reply yet. */
export async function findUnanswered(db: Db, deviceID: number, token: string, kind: RequestKind, sentAfter: number) {
  const statement = db
    .selectFrom('device_command')
    .innerJoin('device', 'device.device_id', 'device_command.device_id')
    .select(['device_command.kind', 'payload', 'data_id', 'sent_at', 'device.product_id'])
    .where('client_token', '=', token)
    .where('device_command.device_id', '=', deviceID)
    .where('device_command.kind', 'in', [kind, 'msg' satisfies StoredKind])
    .where('sent_at', '>', sentAfter)
    .where(sql<boolean>`(device_command.done_at = 0 or (${noReply} and (device_command.code = ${timeoutCode}
      or (device_command.kind = 'msg' and device_command.code = 200 and device_command.status in (${sentText}, ${plainSentText})))))`)
    .orderBy('device_command.id', 'desc')
    .limit(1)
  const { rows } = await runPrepared(db, statement)
  return rows[0]
}

/** A message written by hand has nobody who waits for its answer. */
export async function readAnswer(db: Db, deviceID: number, token: string): Promise<DeviceReply | 'msg' | undefined> {
  const statement = db
    .selectFrom('device_command')
    .select(['kind', 'code', 'status', 'reply'])
    .where('client_token', '=', token)
    .where('device_id', '=', deviceID)
    .where('done_at', '>', 0)
    .orderBy('id', 'desc')
    .limit(1)
  const [row] = (await runPrepared(db, statement)).rows
  if (!row) return undefined
  if (row.kind === 'msg') return 'msg'
  return { token, kind: row.kind as RequestKind, code: row.code, msg: row.status, data: row.reply ?? undefined }
}

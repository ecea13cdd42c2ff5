/** Everything about one message: what it was, what became of it, and the other messages of its request. */

import { Dialect } from '@ithings/contract/device/messages.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import type { readTrace as endpoint } from '@ithings/contract/features/history.ts'
import { kept } from '@ithings/contract/text.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { JournalKind, parseTraceID } from '#ports/journal.ts'
import type { HistoryDeps } from './history-deps.ts'
import { actionName } from './hub-log-filter.ts'
import { type JournalRow, journalColumns, toHubLogRow } from './hub-log-row.ts'
import { withinQueryLimit } from './limited-query.ts'
import { answerText } from './trace-answer.ts'

/** Messages of one request lie close together; a token may be used again later. */
const aroundMs = 10 * 60_000
const maxRelated = 100
/** A command is noted before its message is sent; the clock may be set back in between. */
const clockStepMs = 1_000
const shownNames = 20
const causes: Partial<Record<string, string>> = { user: '用户', scene: '场景联动', task: '设备任务' }

interface Step {
  name: string
  ok: boolean
  text: string
}

const accepted = 200
const ms = (micros: number): string => `${(micros / 1000).toFixed(1)} ms`

async function relatedTo(db: Db, row: JournalRow): Promise<JournalRow[]> {
  if (row.token === '') return []
  const { rows } = await sql<JournalRow>`
    select ${journalColumns} from journal j
    where j.device_id = ${row.device_id} and j.at between ${row.at - aroundMs} and ${row.at + aroundMs}
      and j.token = ${row.token} and (j.at, j.seq) <> (${row.at}::bigint, ${row.seq}::bigint)
    order by j.at, j.seq limit ${maxRelated}`.execute(db)
  return rows
}

function addedText({ kind, adds, content, data_id }: JournalRow): string {
  if (!adds) return kept('只记入日志')
  if (kind === JournalKind.event) return kept('已写入事件 {eventID}', { eventID: data_id })
  const names = Object.keys(JSON.parse(content) as object)
  const about = { count: names.length, names: names.slice(0, shownNames) }
  return names.length > shownNames
    ? kept('已写入 {count} 个属性：{names} 等', about)
    : kept('已写入 {count} 个属性：{names}', about)
}

/** Who caused a message to a device: its command keeps it, under the same token. */
async function senderOf(db: Db, row: JournalRow): Promise<Step[]> {
  if (row.up || row.token === '') return []
  const { rows } = await sql<{ source: string; user_name: string }>`
    select source, user_name from device_command
    where client_token = ${row.token} and device_id = ${row.device_id}
      and sent_at between ${row.at - aroundMs} and ${row.at + clockStepMs}
    order by id desc limit 1`.execute(db)
  return rows.map(({ source, user_name }) => {
    const cause = kept(causes[source] ?? source)
    return { name: kept('发起'), ok: true, text: user_name === '' ? cause : `${cause} ${user_name}` }
  })
}

const sentText = (topic: string, method: string): string =>
  method ? kept('{topic}，方法 {method}', { topic, method }) : topic
const checkedText = (code: number): string => (code === accepted ? kept('通过') : kept('错误码 {code}', { code }))

function upSteps(row: JournalRow, replies: JournalRow[], dialect: Dialect): Step[] {
  const { topic } = toHubLogRow(row)
  const isAccepted = row.code === accepted
  const steps: Step[] = [
    { name: kept('接收'), ok: true, text: sentText(topic, row.method) },
    { name: kept('校验'), ok: isAccepted, text: row.msg || checkedText(row.code) },
    { name: kept('存储'), ok: true, text: kept('{what}，{ms}', { what: addedText(row), ms: ms(row.latency) }) },
  ]
  for (const reply of replies) {
    steps.push({ name: kept('回复'), ok: reply.code === accepted, text: reply.msg || `${reply.method} ${reply.code}` })
  }
  const answer = replies.length > 0 ? '' : answerText({ ...row, topic }, dialect)
  // Telling the device why it was refused is no failure.
  return answer === '' ? steps : [...steps, { name: kept('回复'), ok: true, text: answer }]
}

function downSteps(row: JournalRow, replies: JournalRow[]): Step[] {
  const { topic } = toHubLogRow(row)
  const steps: Step[] = [
    { name: kept('下发'), ok: row.code === accepted, text: row.msg || sentText(topic, row.method) },
  ]
  for (const reply of replies) {
    const what = `${reply.method || actionName(reply.kind)} ${reply.code}`
    const text = reply.msg || kept('{what}，{ms}', { what, ms: ms((reply.at - row.at) * 1000) })
    steps.push({ name: kept('设备回复'), ok: reply.code === accepted, text })
  }
  return steps
}

export async function readTrace({ db, products, scenesOf }: HistoryDeps, { tranceID }: BodyOutput<typeof endpoint>) {
  const place = parseTraceID(tranceID)
  const found = await withinQueryLimit(db, async (tx) => {
    const { rows } = place
      ? await sql<JournalRow>`select ${journalColumns} from journal j where j.at = ${place.at} and j.seq = ${place.seq}
          and not exists (select from device_gone g where g.device_id = j.device_id)`.execute(tx)
      : { rows: [] }
    const [row] = rows
    if (!row) throw refusal(errors.notFound, '没有跟踪号 {tranceID} 的消息，或已超过日志保存天数', { tranceID })
    const related = await relatedTo(tx, row)
    const replies = related.filter((other) => other.up !== row.up && (other.at > row.at || other.seq > row.seq))
    return { row, related, replies, sender: await senderOf(tx, row) }
  })
  const { row, related, replies, sender } = found
  const dialect = (await products.get(row.product_id))?.dialect ?? Dialect.auto
  return {
    entry: toHubLogRow(row),
    deviceTime: toStr(row.device_time),
    steps: row.up ? upSteps(row, replies, dialect) : [...sender, ...downSteps(row, replies)],
    related: related.map(toHubLogRow),
    scenes: await scenesOf(tranceID),
  }
}

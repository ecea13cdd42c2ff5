/** Tells the receivers of a report: mails carry the file, webhooks a link and the figures. */
import { kept } from '@ithings/contract/text.ts'
import { jsonText } from '#db/json-text.ts'
import type { ToldChannel } from '#db/tables/reports.ts'
import { type Notice, queueNotice } from '#features/notify/door.ts'
import type { ReportData } from './content/report-data.ts'
import { makeTimeText } from './periods.ts'
import type { ReportsDeps } from './reports-deps.ts'
import type { ReportRow, RunRow } from './store.ts'

/** Mail systems refuse more; then the link is there. */
const mostAttached = 15 * 1024 * 1024
/** A link in a mail is followed days later. */
const linkSeconds = 7 * 86_400

const keyOf = (runID: number): string => `report:${runID}`
/** As the outbox makes it of the key of a notice. */
export const onceKeyOf = (runID: number, channelID: number): string => `${keyOf(runID)}:${channelID}`

interface MadeFile {
  path: string
  name: string
  size: number
}

export async function deliver(
  { db, notify, signLink, publicUrl }: ReportsDeps,
  report: ReportRow,
  run: RunRow,
  data: Pick<ReportData, 'facts' | 'timeZone'>,
  file: MadeFile,
): Promise<void> {
  const { channelIDs } = report.plan
  if (!run.tell || channelIDs.length === 0) return
  const timeText = makeTimeText(data.timeZone)
  const link = new URL(signLink(file.path, file.name, linkSeconds), publicUrl()).href
  const period = { from: timeText(run.period_from), to: timeText(run.period_to), zone: data.timeZone }
  const lines = [
    kept('统计时段：{from} 至 {to}（{zone}）', period),
    ...data.facts.map(({ label, value }) => kept('{label}：{value}', { label, value })),
    '',
    kept('下载（7 天内有效）：{link}', { link }),
  ]
  const notice: Notice = {
    to: { channelIDs },
    title: kept('报表「{name}」{from} 至 {to}', { name: report.name, ...period }),
    content: lines.join('\n'),
    variables: {},
    payload: {
      reportID: report.id,
      reportName: report.name,
      runID: run.id,
      periodStart: run.period_from,
      periodEnd: run.period_to,
      timeZone: data.timeZone,
      fileName: file.name,
      fileSize: file.size,
      fileUri: link,
      summary: data.facts.map(({ label, value }) => ({ label, value })),
    },
    source: 'report',
    sourceName: report.name,
    onceKey: keyOf(run.id),
    ...(file.size <= mostAttached && { attachment: { path: file.path, name: file.name } }),
  }
  const { problems } = await queueNotice(notify, notice)
  const sent = await db
    .selectFrom('notify_delivery')
    .select(['channel_id', 'channel_name', 'type', 'target'])
    .where(
      'once_key',
      'in',
      channelIDs.map((channelID) => onceKeyOf(run.id, channelID)),
    )
    .execute()
  const told = sent.map(
    (row): ToldChannel => ({
      channelID: row.channel_id ?? 0,
      channelName: row.channel_name,
      type: row.type,
      target: row.target,
    }),
  )
  await db
    .updateTable('report_run')
    .set({ told: jsonText(told), problems: jsonText(problems) })
    .where('id', '=', run.id)
    .execute()
}

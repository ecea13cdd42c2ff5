/** Tells the receivers of a report: mails carry the file, webhooks a link and the figures. */
import { kept } from '@ithings/contract/text.ts'
import { jsonText } from '#db/json-text.ts'
import type { ToldChannel } from '#db/tables/reports.ts'
import { type Notice, queueNotice } from '#features/notify/door.ts'
import type { ReportData } from './content/report-data.ts'
import { makeTimeText, zoneOf } from './periods.ts'
import type { ReportsDeps } from './reports-deps.ts'
import type { ReportRow, RunRow } from './store.ts'

/** Mail systems refuse more; then the link is there. */
const mostAttached = 15 * 1024 * 1024
/** A link in a mail is followed days later. */
const linkSeconds = 7 * 86_400

/** A run that failed may be tried again, and is told of when it succeeds: another key. */
const keyOf = (runID: number, failed: boolean): string => `${failed ? 'report-failed' : 'report'}:${runID}`
/** As the outbox makes it of the key of a notice. */
export const onceKeyOf = (runID: number, channelID: number, failed: boolean): string =>
  `${keyOf(runID, failed)}:${channelID}`

interface MadeFile {
  path: string
  name: string
  size: number
}

type Told = Pick<Notice, 'title' | 'content' | 'payload' | 'attachment'> & { failed: boolean }

/** To the channels of the report; what came of it is written beside the run. */
async function tell({ db, notify }: ReportsDeps, report: ReportRow, run: RunRow, { failed, ...told }: Told) {
  const { channelIDs } = report.plan
  if (!run.tell || channelIDs.length === 0) return
  const { problems } = await queueNotice(notify, {
    ...told,
    to: { channelIDs },
    variables: {},
    source: 'report',
    sourceName: report.name,
    onceKey: keyOf(run.id, failed),
  })
  const sent = await db
    .selectFrom('notify_delivery')
    .select(['channel_id', 'channel_name', 'type', 'target'])
    .where(
      'once_key',
      'in',
      channelIDs.map((channelID) => onceKeyOf(run.id, channelID, failed)),
    )
    .execute()
  const receivers = sent.map(
    (row): ToldChannel => ({
      channelID: row.channel_id ?? 0,
      channelName: row.channel_name,
      type: row.type,
      target: row.target,
    }),
  )
  await db
    .updateTable('report_run')
    .set({ told: jsonText(receivers), problems: jsonText(problems) })
    .where('id', '=', run.id)
    .execute()
}

const periodOf = (run: RunRow, timeZone: string) => {
  const timeText = makeTimeText(timeZone)
  return { from: timeText(run.period_from), to: timeText(run.period_to), zone: timeZone }
}
const periodLine = '统计时段：{from} 至 {to}（{zone}）'
const factsOf = (report: ReportRow, run: RunRow, timeZone: string) => ({
  reportID: report.id,
  reportName: report.name,
  runID: run.id,
  periodStart: run.period_from,
  periodEnd: run.period_to,
  timeZone,
})

export async function deliver(
  deps: ReportsDeps,
  report: ReportRow,
  run: RunRow,
  { facts, timeZone }: Pick<ReportData, 'facts' | 'timeZone'>,
  file: MadeFile,
): Promise<void> {
  const link = new URL(deps.signLink(file.path, file.name, linkSeconds), deps.publicUrl()).href
  const period = periodOf(run, timeZone)
  const lines = [
    kept(periodLine, period),
    ...facts.map(({ label, value }) => kept('{label}：{value}', { label, value })),
    '',
    kept('下载（7 天内有效）：{link}', { link }),
  ]
  await tell(deps, report, run, {
    failed: false,
    title: kept('报表「{name}」{from} 至 {to}', { name: report.name, ...period }),
    content: lines.join('\n'),
    payload: {
      ...factsOf(report, run, timeZone),
      fileName: file.name,
      fileSize: file.size,
      fileUri: link,
      summary: facts.map(({ label, value }) => ({ label, value })),
    },
    ...(file.size <= mostAttached && { attachment: { path: file.path, name: file.name } }),
  })
}

/** Who waits for a report is told that it does not come, and why. @param error a kept sentence */
export async function deliverFailure(deps: ReportsDeps, report: ReportRow, run: RunRow, error: string): Promise<void> {
  const timeZone = zoneOf(report.plan)
  await tell(deps, report, run, {
    failed: true,
    title: kept('报表「{name}」生成失败', { name: report.name }),
    content: [kept(periodLine, periodOf(run, timeZone)), kept('原因：{error}', { error })].join('\n'),
    payload: { ...factsOf(report, run, timeZone), error },
  })
}

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type previewReport as endpoint, reportLimits } from '@ithings/contract/features/reports.ts'
import { sayKept } from '@ithings/contract/text.ts'
import { translatorOf } from '#http/answer-language.ts'
import { checkPeriod, checkReport } from './check-report.ts'
import { gather } from './content/gather.ts'
import { lastPeriod } from './periods.ts'
import type { ReportsDeps } from './reports-deps.ts'

/** The figures of the unsaved form, of a few devices, in the language of the report. */
export async function previewReport(deps: ReportsDeps, input: BodyOutput<typeof endpoint>) {
  const { timeStart, timeEnd, ...given } = input
  const now = deps.clock.now()
  const plan = await checkReport(deps, given)
  const last = lastPeriod(plan, now)
  const period = checkPeriod({ from: timeStart ?? last.from, to: timeEnd ?? last.to }, now)
  const { from, to, timeZone, devices, shown, facts, tables } = await gather(deps, plan, period, {
    most: reportLimits.previewDevices,
  })
  const t = translatorOf(plan.language)
  return {
    from,
    to,
    timeZone,
    devices,
    shown,
    facts: facts.map(({ label, value }) => ({ label: sayKept(label, t), value })),
    tables: tables.map(({ title, columns, rows }) => ({
      title,
      heads: columns.map(({ head }) => head),
      rows: rows.slice(0, reportLimits.previewRows).map((row) => row.map((cell) => String(cell ?? ''))),
      total: rows.length,
    })),
  }
}

/** Everything that a report tells of a period. */
import type { ReportPlan } from '@ithings/contract/features/reports.ts'
import { kept } from '@ithings/contract/text.ts'
import { translatorOf } from '#http/answer-language.ts'
import { makeTimeText, type Period, zoneOf } from '../periods.ts'
import type { ReportsDeps } from '../reports-deps.ts'
import { alarmsSection } from './alarms.ts'
import { availabilitySection } from './availability.ts'
import { findReportDevices } from './find-devices.ts'
import { propertiesSection } from './properties.ts'
import type { ReportData, ReportSection } from './report-data.ts'

/** @param most of the devices only so many, for a preview */
export async function gather(
  deps: ReportsDeps,
  plan: ReportPlan,
  period: Period,
  options: { language?: string; most?: number; progress?(done: number, total: number): Promise<void> } = {},
): Promise<ReportData> {
  const { db, clock } = deps
  const timeZone = zoneOf(plan)
  const words = { t: translatorOf(options.language ?? plan.language), timeText: makeTimeText(timeZone) }
  const { devices, total } = await findReportDevices(db, plan, options.most)
  const sections: Array<() => Promise<ReportSection>> = []
  if (plan.availability) sections.push(() => availabilitySection(db, devices, period, { ...words, now: clock.now() }))
  if (plan.alarms) sections.push(() => alarmsSection(db, devices, period, words))
  if (plan.dataIDs.length > 0) sections.push(() => propertiesSection(deps, plan, devices, period, words))
  const made: ReportSection[] = []
  for (const section of sections) {
    await options.progress?.(made.length, sections.length + 1)
    made.push(await section())
  }
  return {
    title: plan.name,
    ...period,
    timeZone,
    devices: total,
    shown: devices.length,
    facts: [{ label: kept('设备数'), value: String(total) }, ...made.flatMap((one) => one.facts)],
    tables: made.flatMap((one) => one.tables),
    charts: made.flatMap((one) => one.charts ?? []),
  }
}

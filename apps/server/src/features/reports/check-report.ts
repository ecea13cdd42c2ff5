/** What the schema cannot know of a report: that what it names exists and fits. */
import { dayMs } from '@ithings/contract/durations.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  type ReportPlan,
  ReportSchedule,
  ReportState,
  ReportTarget,
  reportChannelTypes,
  reportLimits,
} from '@ithings/contract/features/reports.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { findReportDevices } from './content/find-devices.ts'
import { wantedProperties } from './content/properties.ts'
import { nextMoment, type Period } from './periods.ts'
import type { ReportsDeps } from './reports-deps.ts'

const refused = (field: string, detail: Phrase) => new AppError(errors.parameter, { field, detail })

async function checkChannels({ db }: ReportsDeps, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await db.selectFrom('notify_channel').select(['id', 'name', 'type']).where('id', 'in', ids).execute()
  const missing = ids.find((one) => !rows.some((row) => row.id === one))
  if (missing !== undefined) throw refused('channelIDs', phrase('通知渠道 {id} 不存在', { id: missing }))
  const other = rows.find((row) => !reportChannelTypes.includes(row.type))
  if (other) throw refused('channelIDs', phrase('报表只能发送到邮件和 Webhook 渠道：{name}', { name: other.name }))
}

async function checkProduct({ products }: ReportsDeps, productID: string): Promise<void> {
  if (productID === '' || (await products.get(productID))) return
  throw refused('productID', phrase('产品 {productID} 不存在', { productID }))
}

async function checkGroup({ db }: ReportsDeps, groupID: number): Promise<void> {
  const found = await db
    .selectFrom('device_group')
    .select('group_id')
    .where('group_id', '=', groupID)
    .executeTakeFirst()
  if (!found) throw refused('groupID', phrase('分组 {groupID} 不存在', { groupID }))
}

/** Only what this report uses is kept, so that what is read later is what counts. */
function essence(plan: ReportPlan): ReportPlan {
  const { target, dataIDs, channelIDs, deviceNames, funcs } = plan
  const values = dataIDs.length > 0
  return {
    ...plan,
    cron: plan.schedule === ReportSchedule.cron ? plan.cron : '',
    groupID: target === ReportTarget.group ? plan.groupID : 0,
    tags: target === ReportTarget.tags ? plan.tags : [],
    deviceNames: target === ReportTarget.devices ? [...new Set(deviceNames)] : [],
    dataIDs: [...new Set(dataIDs)],
    funcs: values ? [...new Set(funcs)] : [],
    channelIDs: [...new Set(channelIDs)],
  }
}

/** Devices may come later, so that none now is no fault; names that are unknown are. */
async function checkNames(deps: ReportsDeps, plan: ReportPlan): Promise<void> {
  if (plan.target !== ReportTarget.devices) return
  const { devices } = await findReportDevices(deps.db, plan)
  const known = new Set(devices.map((one) => one.deviceName))
  const missing = plan.deviceNames.filter((name) => !known.has(name))
  if (missing.length === 0) return
  const values = { productID: plan.productID, count: missing.length, devices: missing.slice(0, 20) }
  throw refused('deviceNames', phrase('产品 {productID} 下没有这 {count} 台设备：{devices}', values))
}

export async function checkReport(deps: ReportsDeps, given: ReportPlan): Promise<ReportPlan> {
  const plan = essence(given)
  await checkProduct(deps, plan.productID)
  if (plan.target === ReportTarget.group) await checkGroup(deps, plan.groupID)
  await checkNames(deps, plan)
  if (plan.dataIDs.length > 0) await wantedProperties(deps.products, plan)
  await checkChannels(deps, plan.channelIDs)
  return plan
}

/** When it comes; null: it rests. */
export function nextOf(plan: ReportPlan, now: number): number | null {
  if (plan.isEnable === ReportState.off) return null
  const next = nextMoment(plan, now)
  if (next === null) throw refused('cron', phrase('{cron} 没有以后的执行时间', { cron: plan.cron }))
  return next
}

/** A period that people chose. */
export function checkPeriod({ from, to }: Period, now: number): Period {
  if (to <= from) throw refused('timeEnd', phrase('结束时间须在开始时间之后'))
  if (from >= now) throw refused('timeStart', phrase('开始时间不能在将来'))
  if (to - from > reportLimits.days * dayMs) {
    throw refused('timeEnd', phrase('一次最多统计 {count} 天', { count: reportLimits.days }))
  }
  return { from, to }
}

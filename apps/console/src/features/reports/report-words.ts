/** What a report says about itself in a row. */
import { JobStatus, jobStatusLabels } from '@ithings/contract/features/jobs.ts'
import { type Report, ReportSchedule, ReportTarget } from '@ithings/contract/features/reports.ts'
import { t } from '@ithings/contract/text.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export const weekdays = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const

export const runLooks: StatusLooks = {
  [JobStatus.waiting]: { text: jobStatusLabels[JobStatus.waiting], tone: 'default' },
  [JobStatus.running]: { text: jobStatusLabels[JobStatus.running], tone: 'processing' },
  [JobStatus.done]: { text: jobStatusLabels[JobStatus.done], tone: 'success' },
  [JobStatus.failed]: { text: jobStatusLabels[JobStatus.failed], tone: 'error' },
  [JobStatus.cancelled]: { text: jobStatusLabels[JobStatus.cancelled], tone: 'default' },
}

export function scheduleText({ schedule, time, weekday, monthDay, cron }: Report): string {
  if (schedule === ReportSchedule.daily) return t('每天 {time}', { time })
  if (schedule === ReportSchedule.weekly)
    return t('每{weekday} {time}', { weekday: t(weekdays[weekday - 1] ?? ''), time })
  if (schedule === ReportSchedule.monthly) return t('每月 {day} 日 {time}', { day: monthDay, time })
  return cron
}

export function targetText(report: Report): string {
  const { target, productName, productID, groupName, groupID, tags, deviceCount } = report
  const product = productName || productID
  if (target === ReportTarget.group) return t('分组「{name}」', { name: groupName || groupID })
  if (target === ReportTarget.tags)
    return tags.map(({ key, value }) => t('{key}：{value}', { key, value })).join(t('，'))
  if (target === ReportTarget.devices) return t('{product}，{count} 台', { product, count: deviceCount })
  return product
}

export function contentText({ dataIDs, alarms, availability }: Report): string {
  const parts = [
    ...(availability ? [t('可用率')] : []),
    ...(alarms ? [t('告警', { context: 'list' })] : []),
    ...(dataIDs.length > 0 ? [t('{count} 个属性', { count: dataIDs.length })] : []),
  ]
  return parts.join(t('、'))
}

/** Filters of the work queue: from the URL to what the server is asked (screens.md 25). Pure. */

import { DealState } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { resolveTime, type TimeChoice } from '#kit/time-choice.ts'
import { readLevels } from './level-filter.ts'
import type { RecordFilter } from './record-queries.ts'

export const queueTabs = ['open', 'mine', 'all'] as const
export type QueueTab = (typeof queueTabs)[number]

/** Fields by name only: the queue draws its own controls. */
export const queueFields: FilterField[] = [
  { name: 'tab', label: '状态', control: 'custom', initial: 'open' },
  { name: 'levels', label: '级别', control: 'custom' },
  { name: 'keyword', label: '关键字', control: 'text' },
  { name: 'alarmID', label: '告警', control: 'custom' },
  { name: 'productID', label: '产品', control: 'custom' },
  { name: 'deviceName', label: '设备', control: 'custom' },
  { name: 'sceneID', label: '场景', control: 'custom' },
  { name: 'overdue', label: '已超时', control: 'custom', describe: () => t('是') },
  { name: 'time', label: '告警时间', control: 'time' },
]
/** What the panel behind 筛选 holds. */
export const panelNames = ['alarmID', 'productID', 'deviceName', 'sceneID', 'overdue', 'time'] as const

export interface QueueFilters {
  tab?: string
  levels?: string
  keyword?: string
  alarmID?: string
  productID?: string
  deviceName?: string
  sceneID?: string
  overdue?: string
  time?: TimeChoice
}

export const tabOf = (text: string | undefined): QueueTab => queueTabs.find((tab) => tab === text) ?? 'open'

const idOf = (text: string | undefined): number | undefined =>
  text && /^\d{1,15}$/.test(text) ? Number(text) : undefined

/** Everything but the tab and the levels: the counters count over those. */
export function sharedFilter(filters: QueueFilters, now: number = Date.now()): RecordFilter {
  const { keyword, productID, deviceName, overdue, time } = filters
  const alarmID = idOf(filters.alarmID)
  const sceneID = idOf(filters.sceneID)
  const range = time && resolveTime(time, now)
  return {
    ...(keyword && { keyword }),
    ...(productID && { productID }),
    ...(productID && deviceName && { deviceName }),
    ...(alarmID !== undefined && { alarmID }),
    ...(sceneID !== undefined && { sceneID }),
    ...(overdue === '1' && { overdue: true }),
    // An end of "0" means now: no end is asked for then.
    ...(range && {
      timeRange: {
        start: Number(range.timeStart),
        ...(range.timeEnd !== '0' && { end: Number(range.timeEnd) }),
      },
    }),
  }
}

export function queueFilter(filters: QueueFilters, now: number = Date.now()): RecordFilter {
  const tab = tabOf(filters.tab)
  const levels = readLevels(filters.levels)
  return {
    ...sharedFilter(filters, now),
    ...(tab !== 'all' && { dealState: DealState.alarming }),
    ...(tab === 'mine' && { mine: true }),
    ...(levels && { levels }),
  }
}

/** What a choice in a condition brings along. Pure. */
import type { ColumnTime } from '@ithings/contract/rules/scene-parts.ts'
import { type ConditionItem, newKey } from './draft.ts'

export type ConditionKind = 'property' | 'sysTime'

const workdays = [1, 2, 3, 4, 5]
const weekend = [6, 7]

export function newCondition(kind: ConditionKind, productID: string): ConditionItem {
  const part: ConditionItem['part'] =
    kind === 'property'
      ? {
          columnType: 'property',
          columnSchema: { productID, deviceName: '', dataID: [], termType: 'eq', values: [''] },
          netCondition: 'and',
        }
      : {
          columnType: 'sysTime',
          columnTime: { type: 'range', start: '08:00', end: '18:00', weekdays: workdays },
          netCondition: 'and',
        }
  return { key: newKey(), part, terms: [] }
}

/** Another kind keeps its place, its relation and what is nested in it. */
export function withKind(item: ConditionItem, kind: ConditionKind, productID: string): ConditionItem {
  if (item.part.columnType === kind) return item
  const { part } = newCondition(kind, productID)
  const { netCondition, childrenCondition } = item.part
  return { ...item, part: { ...part, netCondition, ...(childrenCondition && { childrenCondition }) } }
}

export const dayKinds = ['daily', 'workdays', 'weekend', 'days', 'cron'] as const
export type DayKind = (typeof dayKinds)[number]
export const dayKindLabels: Record<DayKind, string> = {
  daily: '每天',
  workdays: '工作日',
  weekend: '周末',
  days: '按星期',
  cron: 'cron 范围',
}

const sameDays = (one: readonly number[], other: readonly number[]) =>
  [...new Set(one)].sort().join() === [...other].sort().join()

export function dayKindOf(time: ColumnTime): DayKind {
  if (time.type === 'cron') return 'cron'
  if (time.weekdays.length === 0) return 'daily'
  if (sameDays(time.weekdays, workdays)) return 'workdays'
  return sameDays(time.weekdays, weekend) ? 'weekend' : 'days'
}

/** Another choice of days keeps the hours; a cron starts from the working hours. */
export function withDayKind(time: ColumnTime, kind: DayKind): ColumnTime {
  const clock = time.type === 'range' ? { start: time.start, end: time.end } : { start: '08:00', end: '18:00' }
  switch (kind) {
    case 'daily':
      return { type: 'range', ...clock, weekdays: [] }
    case 'workdays':
      return { type: 'range', ...clock, weekdays: workdays }
    case 'weekend':
      return { type: 'range', ...clock, weekdays: weekend }
    case 'days':
      // One day less than the working days: else it would show as 工作日 again.
      return { type: 'range', ...clock, weekdays: [1, 2, 3, 4] }
    case 'cron':
      return { type: 'cron', cron: '* * 8-17 * * 1-5' }
  }
}

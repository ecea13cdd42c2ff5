import type { DeployStatus, TaskSchedule, TaskType } from '@ithings/contract/features/tasks.ts'
import { ProductPicker } from '#blocks/product-picker.tsx'
import type { FilterField, ListCounter } from '#kit/list-page/list-contract.ts'
import { resolveTime, type TimeChoice } from '#kit/time-choice.ts'
import { deployLooks, deployOptions, scheduleOptions, taskTypeOptions } from '../labels.ts'

export interface TaskFilters {
  taskName?: string
  taskType?: TaskType
  productID?: string
  scheduleType?: TaskSchedule
  status?: DeployStatus
  created?: TimeChoice
}

/** screens.md 7. */
export const taskFields: FilterField[] = [
  { name: 'taskName', label: '任务名称', control: 'text', placeholder: '输入名称', width: 160 },
  { name: 'taskType', label: '任务类型', control: 'select', options: taskTypeOptions, width: 112 },
  {
    name: 'productID',
    label: '产品',
    control: 'custom',
    width: 168,
    render: ({ id, value, onChange }) => (
      <ProductPicker id={id} value={value} onChange={onChange} placeholder="全部产品" />
    ),
    describe: (productID) => productID,
  },
  { name: 'status', label: '状态', control: 'select', options: deployOptions, width: 112 },
  { name: 'scheduleType', label: '执行方式', control: 'select', options: scheduleOptions, width: 112, advanced: true },
  { name: 'created', label: '创建时间', control: 'date-range', advanced: true },
]

/** The wire wants seconds. */
export function taskFilterBody({ created, ...rest }: TaskFilters) {
  const range = created && resolveTime(created)
  const end = range && Number(range.timeEnd)
  return {
    ...rest,
    ...(range && { timeStart: Math.floor(Number(range.timeStart) / 1000) }),
    ...(end && { timeEnd: Math.ceil(end / 1000) }),
  }
}

/** screens.md 7: click = filter. '0' counts all. */
export const taskCounters = (counts: Record<string, number> | undefined): ListCounter[] => [
  { key: 'all', label: '全部', value: counts && (counts['0'] ?? 0), filter: {} },
  ...deployOptions.map(({ value, label }) => ({
    key: String(value),
    label,
    value: counts && (counts[String(value)] ?? 0),
    tone: deployLooks[value]?.tone ?? ('default' as const),
    filter: { status: String(value) },
  })),
]

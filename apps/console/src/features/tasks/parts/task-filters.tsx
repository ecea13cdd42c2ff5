import {
  DeployStatus,
  deployStatusLabels,
  type TaskSchedule,
  type TaskType,
  taskScheduleLabels,
  taskTypeLabels,
} from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { productField } from '#blocks/rollout/columns.tsx'
import { secondsRange, selectField, stateCounters } from '#blocks/rollout/words.ts'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import type { TimeChoice } from '#kit/time-choice.ts'
import { deployLooks } from '../labels.ts'

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
  selectField('taskType', '任务类型', taskTypeLabels),
  { ...productField, width: 168, render: (props) => <ProductPicker {...props} placeholder={t('全部产品')} /> },
  selectField('status', '状态', deployStatusLabels),
  { ...selectField('scheduleType', '执行方式', taskScheduleLabels), advanced: true },
  { name: 'created', label: '创建时间', control: 'date-range', advanced: true },
]

export const taskFilterBody = ({ created, ...rest }: TaskFilters) => ({ ...rest, ...secondsRange(created) })

/** screens.md 7: click = filter. '0' counts all. */
export const taskCounters = (counts: Record<string, number> | undefined) =>
  stateCounters({
    looks: deployLooks,
    total: counts && (counts['0'] ?? 0),
    counts: Object.values(DeployStatus).map((status) => [status, counts && (counts[status] ?? 0)]),
  })

import { OtaTaskStatus, otaTaskStatusLabels } from '@ithings/contract/features/ota/states.ts'
import {
  type OtaScope,
  type OtaStrategy,
  otaScopeLabels,
  otaStrategyLabels,
} from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { useSearchParams } from 'react-router'
import { productField } from '#blocks/rollout/columns.tsx'
import { secondsRange, selectField, stateCounters } from '#blocks/rollout/words.ts'
import type { FilterField, ListPaging } from '#kit/list-page/list-contract.ts'
import type { TimeChoice } from '#kit/time-choice.ts'
import { taskLooks } from '../../labels.ts'
import { tasksQuery } from '../../task-queries.ts'
import { FirmwarePicker } from '../firmware/firmware-picker.tsx'

export interface TaskFilters {
  productID?: string
  firmwareID?: string
  taskUid?: string
  type?: OtaScope
  upgradeType?: OtaStrategy
  status?: OtaTaskStatus
  time?: TimeChoice
}

type PickerProps = Parameters<NonNullable<FilterField['render']>>[0]

/** Cascaded: only packages of the product that is filtered by. */
function FilteredFirmware(props: PickerProps) {
  const [params] = useSearchParams()
  return <FirmwarePicker {...props} productID={params.get('productID') ?? ''} />
}

export const taskFields: FilterField[] = [
  productField,
  {
    name: 'firmwareID',
    label: '固件',
    control: 'custom',
    width: 200,
    render: (props) => <FilteredFirmware {...props} />,
    describe: (firmwareID) => t('编号 {id}', { id: firmwareID }),
  },
  selectField('status', '状态', otaTaskStatusLabels),
  { name: 'taskUid', label: '批次号', control: 'text', width: 180, advanced: true },
  { ...selectField('type', '升级方式', otaScopeLabels, 120), advanced: true },
  { ...selectField('upgradeType', '升级策略', otaStrategyLabels, 96), advanced: true },
  { name: 'time', label: '创建时间', control: 'date-range', advanced: true },
]

export const filteredTasks = ({ page, filters }: { page: ListPaging; filters: TaskFilters }) =>
  tasksQuery({ page, filters }, () => {
    const { time, firmwareID, ...rest } = filters
    return { page, ...rest, ...(firmwareID && { firmwareID: Number(firmwareID) }), ...secondsRange(time) }
  })

/** screens.md 22: the strip above the list; each figure filters. */
export const taskCounters = (counts: Readonly<Record<string, number>> | undefined) => {
  const of = Object.values(OtaTaskStatus).map((status) => [status, counts && (counts[status] ?? 0)] as const)
  return stateCounters({
    looks: taskLooks,
    all: t('全部任务'),
    total: counts && of.reduce((sum, [, count = 0]) => sum + count, 0),
    counts: of,
  })
}

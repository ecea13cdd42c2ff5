import type { OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaScope, OtaStrategy } from '@ithings/contract/features/ota/task.ts'
import { useSearchParams } from 'react-router'
import { ProductPicker } from '#blocks/product-picker.tsx'
import type { FilterField, ListPaging } from '#kit/list-page/list-contract.ts'
import type { TimeChoice } from '#kit/time-choice.ts'
import { scopeOptions, strategyOptions, taskStatusOptions } from '../../labels.ts'
import { tasksQuery } from '../../task-queries.ts'
import { secondsRange } from '../../time-range.ts'
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
  {
    name: 'productID',
    label: '产品',
    control: 'custom',
    width: 180,
    render: (props) => <ProductPicker {...props} aria-label="产品" />,
  },
  {
    name: 'firmwareID',
    label: '固件',
    control: 'custom',
    width: 200,
    render: (props) => <FilteredFirmware {...props} />,
    describe: (firmwareID) => `编号 ${firmwareID}`,
  },
  { name: 'status', label: '状态', control: 'select', options: taskStatusOptions, width: 112 },
  { name: 'taskUid', label: '批次号', control: 'text', width: 180, advanced: true },
  { name: 'type', label: '升级方式', control: 'select', options: scopeOptions, width: 120, advanced: true },
  { name: 'upgradeType', label: '升级策略', control: 'select', options: strategyOptions, width: 96, advanced: true },
  { name: 'time', label: '创建时间', control: 'date-range', advanced: true },
]

export const filteredTasks = ({ page, filters }: { page: ListPaging; filters: TaskFilters }) =>
  tasksQuery({ page, filters }, () => {
    const { time, firmwareID, ...rest } = filters
    return { page, ...rest, ...(firmwareID && { firmwareID: Number(firmwareID) }), ...secondsRange(time) }
  })

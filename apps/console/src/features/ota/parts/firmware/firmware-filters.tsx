import type { FirmwareModule } from '@ithings/contract/features/ota/firmware.ts'
import { ProductPicker } from '#blocks/product-picker.tsx'
import type { FilterField, ListPaging } from '#kit/list-page/list-contract.ts'
import type { TimeChoice } from '#kit/time-choice.ts'
import { moduleOptions } from '../../labels.ts'
import { firmwareListQuery } from '../../queries.ts'
import { secondsRange } from '../../time-range.ts'

export interface FirmwareFilters {
  productID?: string
  name?: string
  module?: FirmwareModule
  version?: string
  time?: TimeChoice
}

export const firmwareFields: FilterField[] = [
  {
    name: 'productID',
    label: '产品',
    control: 'custom',
    width: 180,
    render: (props) => <ProductPicker {...props} aria-label="产品" />,
  },
  { name: 'name', label: '固件名称', control: 'text', placeholder: '输入名称', width: 160 },
  { name: 'version', label: '版本号', control: 'text', placeholder: '例如 1.2', width: 120 },
  { name: 'module', label: '模块', control: 'select', options: moduleOptions, width: 96 },
  { name: 'time', label: '创建时间', control: 'date-range', advanced: true },
]

export const filteredFirmware = ({ page, filters }: { page: ListPaging; filters: FirmwareFilters }) => {
  const { time, ...rest } = filters
  return firmwareListQuery({ page, ...rest, ...secondsRange(time) })
}

import { type AlarmLevel, type AlarmStatus, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import { enabledOptions } from '#blocks/enabled-status.ts'
import type { FilterField, ListPaging } from '#kit/list-page/list-contract.ts'
import { readLevels } from '../../level-filter.ts'
import { alarmsQuery } from '../../queries.ts'
import { LevelSelect } from '../level-select.tsx'

export interface AlarmFilters {
  name?: string
  levels?: string
  status?: AlarmStatus
}

const levelWords = (levels: readonly AlarmLevel[]): string => levels.map((level) => alarmLevelLabels[level]).join('、')

export const alarmFields: FilterField[] = [
  { name: 'name', label: '名称', control: 'text' },
  {
    name: 'levels',
    label: '级别',
    control: 'custom',
    width: 200,
    render: (props) => <LevelSelect {...props} />,
    describe: (text) => levelWords(readLevels(text) ?? []),
  },
  { name: 'status', label: '状态', control: 'select', options: enabledOptions },
]

export const filteredAlarms = ({ page, filters }: { page: ListPaging; filters: AlarmFilters }) => {
  const levels = readLevels(filters.levels)
  const { name, status } = filters
  return alarmsQuery({ page, ...(name && { name }), ...(status && { status }), ...(levels && { levels }) })
}

import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { Segmented } from 'antd'
import { isTaskOpen } from '../../labels.ts'
import { stageNo, totalOf } from '../../progress.ts'
import { type DetailFilter, type DetailScope, stageShown } from './detail-filter.ts'

interface ScopeSwitchProps {
  task: OtaTask
  filter: DetailFilter
  onFilter: (patch: Partial<DetailFilter>) => void
}

/** The stage at work, or all of the task; funnel and table follow. */
export function ScopeSwitch({ task, filter, onFilter }: ScopeSwitchProps) {
  const stage = task.stages[task.stage]
  if (!stage || task.stages.length < 2) return null
  return (
    <Segmented<DetailScope>
      size="small"
      aria-label="范围"
      value={stageShown(task, filter) === undefined ? 'all' : 'stage'}
      options={[
        {
          value: 'stage',
          label: `${isTaskOpen(task) ? '本阶段' : `阶段 ${stageNo(task.stages, task.stage)}`} ${stage.devices.toLocaleString()}`,
        },
        { value: 'all', label: `全部 ${totalOf(task.counts).toLocaleString()}` },
      ]}
      onChange={(scope) => onFilter({ scope })}
    />
  )
}

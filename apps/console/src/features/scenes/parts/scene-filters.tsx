import type { RunResult, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import type { TriggerType } from '@ithings/contract/rules/scene-text.ts'
import { AlarmPicker } from '#blocks/alarm-picker.tsx'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { lastResultOptions, sceneStatusOptions, triggerTypeOptions } from '../labels.ts'

export interface SceneFilters {
  name?: string
  triggerType?: TriggerType
  status?: SceneStatus
  alarmID?: string
  lastResult?: RunResult
}

export const sceneFields: FilterField[] = [
  { name: 'name', label: '场景名称', control: 'text', placeholder: '输入名称', width: 160 },
  { name: 'triggerType', label: '触发类型', control: 'select', options: triggerTypeOptions, width: 112 },
  { name: 'status', label: '状态', control: 'select', options: sceneStatusOptions, width: 96 },
  { name: 'lastResult', label: '最近结果', control: 'select', options: lastResultOptions, width: 112 },
  {
    name: 'alarmID',
    label: '关联告警',
    control: 'custom',
    width: 180,
    advanced: true,
    render: (props) => <AlarmPicker {...props} aria-label="关联告警" />,
    describe: (alarmID) => `编号 ${alarmID}`,
  },
]

/** Digits of the URL become the number of the wire. */
export const sceneFilterBody = ({ alarmID, ...rest }: SceneFilters) => ({
  ...rest,
  ...(alarmID && { alarmID: Number(alarmID) }),
})

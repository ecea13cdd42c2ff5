import { RunResult, runResultLabels, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { type TriggerType, triggerTypeLabels, triggerTypes } from '@ithings/contract/rules/scene-text.ts'
import type { FilterOption } from '#kit/list-page/list-contract.ts'

export const triggerTypeOptions: FilterOption[] = triggerTypes.map((value) => ({
  value,
  label: triggerTypeLabels[value],
}))

export const sceneStatusOptions: FilterOption[] = [
  { value: SceneStatus.enabled, label: '已启用' },
  { value: SceneStatus.disabled, label: '已禁用' },
]

/** A list knows the last run that has ended; what still runs or did not fire is in the log. */
export const lastResultOptions: FilterOption[] = [RunResult.success, RunResult.partly, RunResult.failed].map(
  (value) => ({ value, label: runResultLabels[value] }),
)

/** What each kind is for, where one is chosen. */
export const triggerTypeHelp: Record<TriggerType, string> = {
  device: '设备上线、下线、上报属性或事件，或长时间没有数据时执行',
  timer: '每天、每周、每月或按 cron 表达式到点执行',
  manual: '由人点击“执行”，或由别的场景调用',
}

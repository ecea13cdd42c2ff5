import { AimOutlined, ClockCircleOutlined, HddOutlined } from '@ant-design/icons'
import type { TriggerType } from '@ithings/contract/rules/scene-limits.ts'

const icons = { device: HddOutlined, timer: ClockCircleOutlined, manual: AimOutlined }

export function TriggerIcon({ type }: { type: TriggerType }) {
  const Icon = icons[type]
  return <Icon aria-hidden="true" />
}

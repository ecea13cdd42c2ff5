import { AlarmStatus } from '@ithings/contract/features/alarms/config.ts'
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { Tooltip } from 'antd'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'

/** The worst level; the names, and how many more, on hover. */
export function LinkedAlarms({ alarms }: Pick<Scene, 'alarms'>) {
  const worst = alarms.toSorted((one, other) => other.level - one.level)[0]
  if (!worst) return <span className="no-value">—</span>
  return (
    <Tooltip
      title={alarms.map(({ id, name, status }) => (
        <div key={id}>
          {name}
          {status === AlarmStatus.disabled && '（已禁用）'}
        </div>
      ))}
    >
      <span className="inline-row gap-8">
        <AlarmLevelMark level={worst.level} />
        {alarms.length > 1 && <span className="meta">+{alarms.length - 1}</span>}
      </span>
    </Tooltip>
  )
}

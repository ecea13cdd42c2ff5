import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { DurationInput } from '../parts/duration-input.tsx'
import { AlarmStep } from './alarm-step.tsx'
import { NotifyStep } from './notify-step.tsx'
import { OutputStep } from './output-step.tsx'
import { SceneStep } from './scene-step.tsx'

interface StepFormProps {
  item: string
  part: SceneAction
  onChange: (part: SceneAction) => void
}

export function StepForm({ item, part, onChange }: StepFormProps) {
  const { delay, device, alarm, notify, scene } = part
  if (delay) {
    return (
      <div className="scene-row">
        <span className="scene-word">等待</span>
        <DurationInput
          label="延时"
          value={delay.time}
          unit={delay.unit}
          onChange={(time, unit) => onChange({ ...part, delay: { time: time ?? 0, unit } })}
        />
        <span className="meta">最长 24 小时；服务重启后接着计时，到点继续后面的动作。</span>
      </div>
    )
  }
  if (device) return <OutputStep item={item} output={device} onChange={(next) => onChange({ ...part, device: next })} />
  if (alarm) return <AlarmStep mode={alarm.mode} />
  if (notify) return <NotifyStep item={item} notify={notify} onChange={(next) => onChange({ ...part, notify: next })} />
  if (scene) return <SceneStep item={item} value={scene} onChange={(next) => onChange({ ...part, scene: next })} />
  return null
}

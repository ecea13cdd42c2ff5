import type { DeviceTrigger, StateKeep } from '@ithings/contract/rules/scene-parts.ts'
import { Checkbox, InputNumber, Segmented } from 'antd'
import { type KeepKind, keepChoices, keepOf, withKeep } from '../logic/edit-trigger.ts'
import { DurationInput, SecondsInput } from '../parts/duration-input.tsx'

const keepLabels: Record<KeepKind, string> = { none: '立即触发', duration: '持续', repeating: '累计次数' }

interface TriggerLimitsProps {
  part: DeviceTrigger
  onChange: (part: DeviceTrigger) => void
}

/** Debounce: kept for so long, or so often within a window; not again before it recovered; a distance between two. */
export function TriggerLimits({ part, onChange }: TriggerLimitsProps) {
  const choices = keepChoices(part)
  const keep = part.operationSchema?.stateKeep
  const setKeep = (next: StateKeep) =>
    onChange({ ...part, operationSchema: { ...(part.operationSchema ?? { dataID: [] }), stateKeep: next } })
  const { once: _once, minInterval: _minInterval, ...plain } = part
  return (
    <div className="scene-row scene-limits">
      {choices.length > 1 && (
        <Segmented
          aria-label="防抖"
          value={keepOf(part)}
          options={choices.map((value) => ({ value, label: keepLabels[value] }))}
          onChange={(kind: KeepKind) => onChange(withKeep(part, kind))}
        />
      )}
      {keep?.type === 'duration' && (
        <DurationInput
          label="持续时间"
          value={keep.value}
          unit={keep.unit}
          onChange={(value, unit) => setKeep({ ...keep, value: value ?? 0, unit })}
        />
      )}
      {keep?.type === 'repeating' && (
        <>
          <SecondsInput
            label="时间窗"
            unit="seconds"
            seconds={keep.window ?? 60}
            onChange={(window) => setKeep({ ...keep, window: window ?? 60 })}
          />
          <span className="scene-word">内</span>
          <InputNumber
            aria-label="次数"
            className="scene-count"
            min={1}
            max={1000}
            precision={0}
            suffix="次"
            value={keep.value}
            onChange={(value) => setKeep({ ...keep, value: value ?? 1 })}
          />
        </>
      )}
      <Checkbox
        checked={part.once ?? false}
        onChange={({ target }) =>
          onChange({
            ...plain,
            ...(target.checked && { once: true }),
            ...(part.minInterval !== undefined && { minInterval: part.minInterval }),
          })
        }
      >
        恢复前只触发一次
      </Checkbox>
      <span className="scene-pair inline-row gap-8">
        <span className="scene-word">间隔不少于</span>
        <SecondsInput
          label="最小间隔"
          placeholder="不限"
          seconds={part.minInterval}
          onChange={(seconds) =>
            onChange({
              ...plain,
              ...(part.once && { once: true }),
              ...(seconds !== undefined && { minInterval: seconds }),
            })
          }
        />
      </span>
    </div>
  )
}

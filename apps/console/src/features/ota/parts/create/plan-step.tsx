import { otaLimits } from '@ithings/contract/features/ota/task.ts'
import { DatePicker, InputNumber, Segmented, Switch } from 'antd'
import dayjs from 'dayjs'
import { zoneLabel } from '#kit/time.ts'
import { Labelled } from './labelled.tsx'
import { StagesEditor } from './stages-editor.tsx'
import type { StepProps } from './step-props.ts'
import type { TaskDraft } from './task-draft.ts'

type NumberField = 'maximumPerMinute' | 'timeoutInMinutes' | 'retryCount' | 'retryInterval' | 'probationMinutes'

const hour = 3_600_000

interface MomentProps {
  id: string
  value: number | undefined
  onChange: (ms: number | undefined) => void
}

const Moment = ({ id, value, onChange }: MomentProps) => (
  <DatePicker
    id={id}
    showTime={{ format: 'HH:mm' }}
    format="YYYY-MM-DD HH:mm"
    value={value === undefined ? null : dayjs(value)}
    minDate={dayjs()}
    allowClear={false}
    onChange={(moment) => onChange(moment?.valueOf())}
    style={{ width: 200 }}
  />
)

/** When, how fast, in which stages, and what counts as success. */
export function PlanStep({ draft, change, problems }: StepProps) {
  const number = (field: NumberField, label: string, limits: [number, number], unit: string, extra?: string) => (
    <Labelled label={label} htmlFor={`task-${field}`} problem={problems[field]} extra={extra}>
      <InputNumber
        id={`task-${field}`}
        min={limits[0]}
        max={limits[1]}
        precision={0}
        value={draft[field]}
        suffix={unit}
        onChange={(value) => change({ [field]: value } as Partial<TaskDraft>)}
        style={{ width: 160 }}
      />
    </Labelled>
  )
  return (
    <>
      <Labelled label="阶段" above problem={problems.stages}>
        <StagesEditor value={draft.stages} onChange={(stages) => change({ stages })} />
      </Labelled>
      <div className="plan-grid">
        <Labelled label="开始时间" problem={problems.start} extra={draft.start === undefined ? '' : zoneLabel()}>
          <span className="inline-row wrap gap-8">
            <Segmented
              value={draft.start === undefined ? 'now' : 'later'}
              options={[
                { value: 'now', label: '立即' },
                { value: 'later', label: '定时' },
              ]}
              onChange={(when) => change({ start: when === 'now' ? undefined : Date.now() + hour })}
            />
            {draft.start !== undefined && (
              <Moment id="task-start" value={draft.start} onChange={(start) => change({ start })} />
            )}
          </span>
        </Labelled>
        <Labelled label="截止时间" problem={problems.finish} extra="到时没有推送的设备记为升级失败，已推送的继续">
          <span className="inline-row wrap gap-8">
            <Segmented
              value={draft.finish === undefined ? 'none' : 'at'}
              options={[
                { value: 'none', label: '不限' },
                { value: 'at', label: '指定' },
              ]}
              onChange={(end) =>
                change({ finish: end === 'none' ? undefined : (draft.start ?? Date.now()) + 24 * hour })
              }
            />
            {draft.finish !== undefined && (
              <Moment id="task-finish" value={draft.finish} onChange={(finish) => change({ finish })} />
            )}
          </span>
        </Labelled>
        {number('maximumPerMinute', '推送速率', [1, otaLimits.perMinute], '台/分钟')}
        {number(
          'timeoutInMinutes',
          '单设备超时',
          [1, otaLimits.timeoutMinutes],
          '分钟',
          '推送后这么久没有结果记为失败',
        )}
        {number('retryCount', '自动重试', [0, 10], '次', '失败后再推送几次')}
        {number('retryInterval', '重试间隔', [0, 1440], '分钟')}
        {number('probationMinutes', '观察期', [0, 1440], '分钟', '新版本上报后须保持在线这么久才算成功，0 不观察')}
        <Labelled label="覆盖未完成的任务" extra="设备还在别的任务里时，取消那边、改由本任务升级">
          <Switch
            aria-label="覆盖未完成的任务"
            checked={draft.overwrite}
            onChange={(overwrite) => change({ overwrite })}
          />
        </Labelled>
      </div>
    </>
  )
}

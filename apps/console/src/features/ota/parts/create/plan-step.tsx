import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import { otaLimits } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { DatePicker, InputNumber, Segmented, Switch } from 'antd'
import dayjs from 'dayjs'
import { WizardField } from '#blocks/rollout/wizard.tsx'
import { zoneLabel } from '#kit/time.ts'
import { StagesEditor } from './stages-editor.tsx'
import type { StepProps, TaskDraft } from './task-draft.ts'

interface MomentProps {
  /** Milliseconds; undefined: at once, or no end. */
  value: number | undefined
  words: readonly [without: string, at: string]
  /** What a moment begins with. */
  first: () => number
  onChange: (ms: number | undefined) => void
}

const Moment = ({ value, words: [without, at], first, onChange }: MomentProps) => (
  <span className="inline-row wrap gap-8">
    <Segmented
      value={value === undefined ? without : at}
      options={[without, at]}
      onChange={(word) => onChange(word === at ? first() : undefined)}
    />
    {value !== undefined && (
      <DatePicker
        showTime={{ format: 'HH:mm' }}
        format="YYYY-MM-DD HH:mm"
        value={dayjs(value)}
        minDate={dayjs()}
        allowClear={false}
        onChange={(moment) => onChange(moment?.valueOf())}
        style={{ width: 200 }}
      />
    )}
  </span>
)

type NumberField = 'maximumPerMinute' | 'timeoutInMinutes' | 'retryCount' | 'retryInterval' | 'probationMinutes'

const numbers: readonly {
  field: NumberField
  label: string
  least: number
  most: number
  unit: string
  extra?: string
}[] = [
  { field: 'maximumPerMinute', label: '推送速率', least: 1, most: otaLimits.perMinute, unit: '台/分钟' },
  {
    field: 'timeoutInMinutes',
    label: '单设备超时',
    least: 1,
    most: otaLimits.timeoutMinutes,
    unit: '分钟',
    extra: '推送后这么久没有结果记为失败',
  },
  { field: 'retryCount', label: '自动重试', least: 0, most: 10, unit: '次', extra: '失败后再推送几次' },
  { field: 'retryInterval', label: '重试间隔', least: 0, most: 1440, unit: '分钟' },
  {
    field: 'probationMinutes',
    label: '观察期',
    least: 0,
    most: 1440,
    unit: '分钟',
    extra: '新版本上报后须保持在线这么久才算成功，0 不观察',
  },
]

/** When, how fast, in which stages, and what counts as success. */
export function PlanStep({ draft, change, problems }: StepProps) {
  return (
    <>
      <WizardField label={t('阶段')} above problem={problems.stages}>
        <StagesEditor value={draft.stages} onChange={(stages) => change({ stages })} />
      </WizardField>
      <div className="plan-grid grid">
        <WizardField
          label={t('开始时间')}
          problem={problems.start}
          extra={draft.start === undefined ? '' : zoneLabel()}
        >
          <Moment
            value={draft.start}
            words={[t('立即'), t('定时')]}
            first={() => Date.now() + hourMs}
            onChange={(start) => change({ start })}
          />
        </WizardField>
        <WizardField
          label={t('截止时间')}
          problem={problems.finish}
          extra={t('到时没有推送的设备记为升级失败，已推送的继续')}
        >
          <Moment
            value={draft.finish}
            words={[t('不限', { context: 'limit' }), t('指定')]}
            first={() => (draft.start ?? Date.now()) + dayMs}
            onChange={(finish) => change({ finish })}
          />
        </WizardField>
        {numbers.map(({ field, label, least, most, unit, extra }) => (
          <WizardField key={field} label={t(label)} problem={problems[field]} extra={extra && t(extra)}>
            {(id) => (
              <InputNumber
                id={id}
                min={least}
                max={most}
                precision={0}
                value={draft[field]}
                suffix={t(unit)}
                onChange={(value) => change({ [field]: value } as Partial<TaskDraft>)}
                style={{ width: 160 }}
              />
            )}
          </WizardField>
        ))}
        <WizardField label={t('覆盖未完成的任务')} extra={t('设备还在别的任务里时，取消那边、改由本任务升级')}>
          <Switch
            aria-label={t('覆盖未完成的任务')}
            checked={draft.overwrite}
            onChange={(overwrite) => change({ overwrite })}
          />
        </WizardField>
      </div>
    </>
  )
}

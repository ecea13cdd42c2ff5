import { weekdayNames } from '@ithings/contract/rules/describe-cron.ts'
import { t } from '@ithings/contract/text.ts'
import { InputNumber, Segmented, Select, TimePicker } from 'antd'
import dayjs from 'dayjs'
import { type CronPlan, firstPlan, type PlanKind, planLabels, unitLabels, unitLimits } from './cron-plan.ts'

interface CronBuilderProps {
  /** Undefined: the text is of no simple shape. */
  plan: CronPlan | undefined
  onChange: (plan: CronPlan) => void
  disabled?: boolean
}

const kinds: PlanKind[] = ['every', 'daily', 'weekly', 'monthly']
const units = ['second', 'minute', 'hour'] as const
const weekdays = () => weekdayNames.map((name, at) => ({ label: t('周{days}', { days: t(name) }), value: at + 1 }))
const monthDays = () =>
  Array.from({ length: 31 }, (_, at) => ({ label: t('{day} 日', { day: at + 1 }), value: at + 1 }))

function Every({ plan, onChange, disabled }: CronBuilderProps & { plan: CronPlan & { kind: 'every' } }) {
  const limit = (unit: (typeof units)[number]) => unitLimits[unit]
  return (
    <>
      <InputNumber
        aria-label={t('间隔')}
        min={1}
        max={limit(plan.unit)}
        precision={0}
        disabled={disabled}
        value={plan.count}
        onChange={(count) => count && onChange({ ...plan, count })}
      />
      <Select
        aria-label={t('单位')}
        disabled={disabled}
        value={plan.unit}
        options={units.map((unit) => ({ label: t(unitLabels[unit]), value: unit }))}
        onChange={(unit) => onChange({ ...plan, unit, count: Math.min(plan.count, limit(unit)) })}
      />
    </>
  )
}

function Days({ plan, onChange, disabled }: CronBuilderProps & { plan: CronPlan & { kind: 'weekly' | 'monthly' } }) {
  const options = plan.kind === 'weekly' ? weekdays() : monthDays()
  return (
    <Select
      aria-label={t('日期')}
      mode="multiple"
      style={{ minWidth: 200 }}
      disabled={disabled}
      value={plan.days}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
      onChange={(days: number[]) => days.length > 0 && onChange({ ...plan, days })}
    />
  )
}

/** Choosing instead of writing; it follows the text and writes it. */
export function CronBuilder({ plan, onChange, disabled }: CronBuilderProps) {
  return (
    <div className="cron-builder wrap flex gap-8">
      <Segmented<PlanKind | 'custom'>
        aria-label={t('计划方式')}
        disabled={disabled}
        value={plan?.kind ?? 'custom'}
        options={[
          ...kinds.map((kind) => ({ label: t(planLabels[kind], { context: 'plan' }), value: kind })),
          { label: t('自定义'), value: 'custom', disabled: plan !== undefined },
        ]}
        onChange={(kind) => kind !== 'custom' && onChange(firstPlan[kind])}
      />
      {plan?.kind === 'every' && <Every plan={plan} onChange={onChange} disabled={disabled} />}
      {(plan?.kind === 'weekly' || plan?.kind === 'monthly') && (
        <Days plan={plan} onChange={onChange} disabled={disabled} />
      )}
      {plan && plan.kind !== 'every' && (
        <TimePicker
          aria-label={t('时刻')}
          allowClear={false}
          disabled={disabled}
          value={dayjs(plan.time, 'HH:mm:ss')}
          onChange={(time) => time && onChange({ ...plan, time: time.format('HH:mm:ss') })}
        />
      )}
    </div>
  )
}

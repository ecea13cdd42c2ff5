import { TaskSchedule, taskLimits, taskScheduleLabels } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { DatePicker, InputNumber } from 'antd'
import dayjs from 'dayjs'
import { useServerZone } from '#blocks/server-zone.ts'
import { CronInput } from '#kit/cron-input.tsx'
import { RadioCards } from '#kit/radio-cards.tsx'
import { zoneLabel } from '#kit/time.ts'
import { reached } from '../../draft/task-draft.ts'
import { FormRow, type StepProps } from './form-row.tsx'

const scheduleTexts: Record<TaskSchedule, string> = {
  [TaskSchedule.now]: '提交后马上开始',
  [TaskSchedule.once]: '在指定的时间执行一次',
  [TaskSchedule.cron]: '按 cron 表达式反复执行',
}
const scheduleCards = () =>
  Object.values(TaskSchedule).map((value) => ({
    value,
    title: t(taskScheduleLabels[value]),
    text: t(scheduleTexts[value]),
  }))

type NumberField = 'timeout' | 'retryCount' | 'retryInterval' | 'rate' | 'failStop'
const numbers: readonly { field: NumberField; label: string; min: number; max: number; unit: string; extra: string }[] =
  [
    { field: 'rate', label: '下发速率', min: 1, max: taskLimits.rate, unit: '台/分钟', extra: '1 到 6,000' },
    { field: 'timeout', label: '单设备超时', min: 1, max: taskLimits.timeout, unit: '秒', extra: '1 到 600' },
    {
      field: 'retryCount',
      label: '失败重试',
      min: 0,
      max: taskLimits.retries,
      unit: '次',
      extra: '0 为不重试，最多 5 次',
    },
    {
      field: 'retryInterval',
      label: '重试间隔',
      min: 0,
      max: taskLimits.retryInterval,
      unit: '秒',
      extra: '0 到 3,600',
    },
    { field: 'failStop', label: '失败率熔断', min: 0, max: 100, unit: '%', extra: '0 为关闭；达到后停止下发' },
  ]

const secondsOf = (time: dayjs.Dayjs | null | undefined): number => (time ? time.unix() : 0)
const timeOf = (seconds: number) => (seconds > 0 ? dayjs.unix(seconds) : null)

/** How long all of them take at this pace, for people. */
function paceText(count: number, rate: number | null): string {
  if (!rate || count === 0) return ''
  const seconds = Math.ceil((count / rate) * 60)
  return seconds < 90
    ? t('约 {seconds} 秒下发完', { seconds })
    : t('约 {count, number} 分钟下发完', { count: Math.ceil(seconds / 60) })
}

export function StepRun({ draft, change, faults, reach }: StepProps) {
  const timeZone = useServerZone()
  const count = reach.reach ? reached(reach.reach, draft.onlineOnly) : 0
  return (
    <>
      <FormRow field="scheduleType" required faults={faults}>
        <RadioCards
          aria-label={t('执行方式')}
          value={draft.scheduleType}
          options={scheduleCards()}
          onChange={(scheduleType) => change({ scheduleType })}
        />
      </FormRow>
      {draft.scheduleType === TaskSchedule.once && (
        <FormRow
          field="runAt"
          required
          faults={faults}
          extra={t('时区 {zone}，至少在 1 分钟之后', { zone: zoneLabel() })}
        >
          {(id) => (
            <DatePicker
              id={id}
              showTime
              className="run-time nowrap softer"
              minDate={dayjs()}
              value={timeOf(draft.runAt)}
              onChange={(time) => change({ runAt: secondsOf(time) })}
            />
          )}
        </FormRow>
      )}
      {draft.scheduleType === TaskSchedule.cron && (
        <>
          <FormRow field="cron" required faults={faults}>
            {(id) => <CronInput id={id} value={draft.cron} timeZone={timeZone} onChange={(cron) => change({ cron })} />}
          </FormRow>
          <FormRow field="validEnd" label={t('有效期')} faults={faults} extra={t('可不填；只在这段时间内执行')}>
            <DatePicker.RangePicker
              showTime
              allowEmpty
              aria-label={t('有效期')}
              value={[timeOf(draft.validStart), timeOf(draft.validEnd)]}
              onChange={(range) => change({ validStart: secondsOf(range?.[0]), validEnd: secondsOf(range?.[1]) })}
            />
          </FormRow>
        </>
      )}
      <div className="run-numbers line-above grid">
        {numbers.map(({ field, label, min, max, unit, extra }) => (
          <FormRow
            key={field}
            field={field}
            label={t(label)}
            required
            faults={faults}
            extra={field === 'rate' ? paceText(count, draft.rate) || t(extra) : t(extra)}
          >
            {(id) => (
              <InputNumber
                id={id}
                className="wide"
                min={min}
                max={max}
                precision={0}
                suffix={t(unit)}
                value={draft[field]}
                disabled={field === 'retryInterval' && draft.retryCount === 0}
                onChange={(value) => change({ [field]: value })}
              />
            )}
          </FormRow>
        ))}
      </div>
    </>
  )
}

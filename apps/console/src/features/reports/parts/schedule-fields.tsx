import { ReportSchedule, reportScheduleLabels } from '@ithings/contract/features/reports.ts'
import { t } from '@ithings/contract/text.ts'
import { Form, InputNumber, Radio, Select, TimePicker } from 'antd'
import dayjs from 'dayjs'
import { useServerZone } from '#blocks/server-zone.ts'
import { CronInput } from '#kit/cron-input.tsx'
import { Field } from '#kit/form/field.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { useMemo } from '#language/use-memo.ts'
import { weekdays } from '../report-words.ts'

/** HH:mm */
const TimeInput = ({ id, value, onChange }: { id?: string; value?: string; onChange?: (time: string) => void }) => (
  <TimePicker
    {...(id && { id })}
    format="HH:mm"
    allowClear={false}
    needConfirm={false}
    value={value ? dayjs(`2000-01-01T${value}`) : null}
    onChange={(time) => time && onChange?.(time.format('HH:mm'))}
  />
)

const covered: Record<ReportSchedule, string> = {
  1: '统计前一天',
  2: '统计上一周（周一到周日）',
  3: '统计上一个月',
  4: '统计从上一次执行时间到这一次',
}

function ZoneField() {
  const server = useServerZone()
  const options = useMemo(
    () => [
      { value: '', label: server ? t('服务器时区（{zone}）', { zone: server }) : t('服务器时区') },
      ...Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone })),
    ],
    [server],
  )
  return (
    <Field name="timeZone" label={t('时区')}>
      <Select showSearch={{ optionFilterProp: 'label' }} options={options} />
    </Field>
  )
}

/** When it comes, and so which period it tells of. */
export function ScheduleFields() {
  const form = Form.useFormInstance()
  const server = useServerZone()
  const schedule: ReportSchedule = Form.useWatch('schedule', form) ?? ReportSchedule.daily
  const zone: string = Form.useWatch('timeZone', form) ?? ''
  return (
    <>
      <Field name="schedule" label={t('生成计划')} extra={t(covered[schedule])}>
        <Radio.Group
          options={Object.values(ReportSchedule).map((value) => ({
            value,
            label: labelOf(reportScheduleLabels, value),
          }))}
        />
      </Field>
      {schedule === ReportSchedule.cron ? (
        <Field name="cron" label={t('Cron 表达式')}>
          <CronInput timeZone={zone || server} />
        </Field>
      ) : (
        <div className="flex wrap gap-16">
          {schedule === ReportSchedule.weekly && (
            <Field name="weekday" label={t('星期几')}>
              <Select
                style={{ width: 120 }}
                options={weekdays.map((label, at) => ({ value: at + 1, label: t(label) }))}
              />
            </Field>
          )}
          {schedule === ReportSchedule.monthly && (
            <Field name="monthDay" label={t('日期（1 到 28 日）')}>
              <InputNumber min={1} max={28} precision={0} style={{ width: 120 }} />
            </Field>
          )}
          <Field name="time" label={t('时间')}>
            <TimeInput />
          </Field>
        </div>
      )}
      <ZoneField />
    </>
  )
}

import { cronRangeText } from '@ithings/contract/rules/describe-cron.ts'
import type { ColumnTime } from '@ithings/contract/rules/scene-parts.ts'
import { t } from '@ithings/contract/text.ts'
import { Input, Select, TimePicker } from 'antd'
import dayjs from 'dayjs'
import type { PartProps } from '../editor-context.ts'
import { type DayKind, dayKindLabels, dayKindOf, dayKinds, withDayKind } from '../logic/edit-condition.ts'
import { Field, ZoneNote } from '../parts/field.tsx'

const days = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']
const format = 'HH:mm'

/** Hours of days, over midnight too, or a cron read as a range (rules.md 3). */
export function TimeFields({ item, value: time, onChange }: PartProps<ColumnTime>) {
  const kind = dayKindOf(time)
  const clock = (label: string, value: string, set: (text: string) => void) => (
    <TimePicker
      aria-label={label}
      className="wide"
      allowClear={false}
      needConfirm={false}
      format={format}
      value={dayjs(value, format)}
      onChange={(next) => next && set(next.format(format))}
    />
  )
  return (
    <>
      <Field item={item} name="columnTime.type" width={kind === 'cron' ? 112 : 92}>
        <Select
          aria-label={t('哪些天')}
          value={kind}
          options={dayKinds.map((value) => ({ value, label: t(dayKindLabels[value]) }))}
          onChange={(next: DayKind) => onChange(withDayKind(time, next))}
        />
      </Field>
      {time.type === 'cron' ? (
        <>
          <Field item={item} name="columnTime" width={180} grow>
            <Input
              className="mono"
              aria-label={t('cron 时间范围')}
              placeholder={t('秒 分 时 日 月 周')}
              spellCheck={false}
              value={time.cron}
              onChange={(event) => onChange({ type: 'cron', cron: event.target.value })}
            />
          </Field>
          <span className="meta">{cronRangeText(time.cron)}</span>
        </>
      ) : (
        <>
          {kind === 'days' && (
            <Field item={item} name="columnTime.weekdays" width={180} grow>
              <Select
                aria-label={t('星期')}
                mode="multiple"
                options={days.map((label, index) => ({ value: index + 1, label: t(label) }))}
                value={time.weekdays}
                onChange={(weekdays: number[]) => weekdays.length > 0 && onChange({ ...time, weekdays })}
              />
            </Field>
          )}
          <Field item={item} name="columnTime.start" width={88}>
            {clock(t('开始时间'), time.start, (start) => onChange({ ...time, start }))}
          </Field>
          <span className="softer nowrap">{time.end <= time.start ? t('至次日') : t('至')}</span>
          <Field item={item} name="columnTime.end" width={88}>
            {clock(t('结束时间'), time.end, (end) => onChange({ ...time, end }))}
          </Field>
        </>
      )}
      <span className="meta">
        <ZoneNote />
      </span>
    </>
  )
}

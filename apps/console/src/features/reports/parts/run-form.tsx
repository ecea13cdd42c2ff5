import { type Report, runReport } from '@ithings/contract/features/reports.ts'
import { t } from '@ithings/contract/text.ts'
import { Checkbox, DatePicker, Form, Radio } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { useRunReport } from '../queries.ts'

interface RunFormProps extends Opened {
  report: Report
  /** Its history shows how it goes. */
  onStarted: () => void
}

/** Now, for the period that the schedule would tell of, or for another. */
export function RunForm({ report, onStarted, ...opened }: RunFormProps) {
  const run = useRunReport()
  const [own, setOwn] = useState(false)
  const [range, setRange] = useState<[Dayjs, Dayjs]>([dayjs().startOf('day'), dayjs()])
  const { id, name, channelIDs } = report
  return (
    <FormModal
      {...opened}
      title={t('立即生成「{name}」', { name })}
      schema={runReport.body}
      initialValues={{ id, tell: false }}
      submitText={t('生成')}
      onSubmit={async ({ tell }) => {
        const period = own ? { timeStart: range[0].valueOf(), timeEnd: range[1].valueOf() } : {}
        await run.mutateAsync({ id, tell, ...period })
        onStarted()
      }}
    >
      <Form.Item label={t('统计时段')}>
        <div className="column gap-8">
          <Radio.Group
            value={own}
            options={[
              { value: false, label: t('最近一个时段') },
              { value: true, label: t('自选') },
            ]}
            onChange={({ target }) => setOwn(target.value)}
          />
          {own && (
            <DatePicker.RangePicker
              showTime={{ format: 'HH:mm' }}
              format="YYYY-MM-DD HH:mm"
              allowClear={false}
              maxDate={dayjs()}
              value={range}
              onChange={(days) => days?.[0] && days[1] && setRange([days[0], days[1]])}
            />
          )}
        </div>
      </Form.Item>
      <Field name="tell" label={t('发送')} valuePropName="checked">
        <Checkbox disabled={channelIDs.length === 0}>
          {channelIDs.length === 0
            ? t('这份报表没有接收渠道')
            : t('发送到 {count} 个接收渠道', { count: channelIDs.length })}
        </Checkbox>
      </Field>
    </FormModal>
  )
}

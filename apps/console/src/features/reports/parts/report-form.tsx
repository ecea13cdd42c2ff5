import type { DataOf } from '@ithings/contract/endpoint.ts'
import {
  ReportInterval,
  ReportSchedule,
  ReportState,
  ReportTarget,
  type readReport,
  reportBody,
} from '@ithings/contract/features/reports.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Input } from 'antd'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { readLanguage } from '#language/language.ts'
import { useCreateReport, useUpdateReport } from '../queries.ts'
import { ContentFields } from './content-fields.tsx'
import { ReportPreview } from './report-preview.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { TargetFields } from './target-fields.tsx'

interface FormProps {
  open: boolean
  onClose: () => void
}

const width = 760

const start = () => ({
  isEnable: ReportState.on,
  schedule: ReportSchedule.daily,
  time: '08:00',
  weekday: 1,
  monthDay: 1,
  cron: '0 0 8 * * *',
  timeZone: '',
  target: ReportTarget.product,
  productID: '',
  groupID: 0,
  tags: [],
  deviceNames: [],
  dataIDs: [],
  funcs: ['avg' as const, 'min' as const, 'max' as const],
  interval: ReportInterval.day,
  alarms: true,
  availability: true,
  language: readLanguage(),
  format: 'xlsx' as const,
  channelIDs: [],
})

const Fields = () => (
  <>
    <Field name="name" label={t('报表名称')}>
      <Input maxLength={64} showCount autoFocus placeholder={t('例如：城东泵站日报')} />
    </Field>
    <ScheduleFields />
    <TargetFields />
    <ContentFields />
    <ReportPreview />
  </>
)

export function CreateReportForm({ open, onClose }: FormProps) {
  const { message } = App.useApp()
  const create = useCreateReport()
  return (
    <FormDrawer
      title={t('新增报表')}
      width={width}
      open={open}
      onClose={onClose}
      schema={reportBody}
      initialValues={start()}
      onSubmit={async (values) => {
        await create.mutateAsync(values)
        void message.success(t('新增成功'))
      }}
    >
      <Fields />
    </FormDrawer>
  )
}

export function EditReportForm({ report, open, onClose }: FormProps & { report: DataOf<typeof readReport> }) {
  const { message } = App.useApp()
  const update = useUpdateReport()
  const { id, rev, name } = report
  const before = start()
  // What this report does not use has the usual choice, should it be used from now on.
  const values = {
    ...reportBody.parse(report),
    ...(report.cron === '' && { cron: before.cron }),
    ...(report.funcs.length === 0 && { funcs: before.funcs }),
  }
  return (
    <FormDrawer
      title={t('编辑报表「{name}」', { name })}
      width={width}
      open={open}
      onClose={onClose}
      schema={reportBody}
      initialValues={values}
      onSubmit={async (changed) => {
        await update.mutateAsync({ ...changed, id, rev })
        void message.success(t('更新成功'))
      }}
    >
      <Fields />
    </FormDrawer>
  )
}

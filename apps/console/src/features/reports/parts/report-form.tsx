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
import { Input } from 'antd'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { readLanguage } from '#language/language.ts'
import { useCreateReport, useUpdateReport } from '../queries.ts'
import { ContentFields } from './content-fields.tsx'
import { ReportPreview } from './report-preview.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { TargetFields } from './target-fields.tsx'

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

export function CreateReportForm(opened: Opened) {
  const create = useCreateReport()
  return (
    <FormDrawer
      {...opened}
      title={t('新增报表')}
      width={width}
      schema={reportBody}
      initialValues={start()}
      onSubmit={(values) => create.mutateAsync(values)}
      done={t('新增成功')}
    >
      <Fields />
    </FormDrawer>
  )
}

export function EditReportForm({ report, ...opened }: Opened & { report: DataOf<typeof readReport> }) {
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
      {...opened}
      title={t('编辑报表「{name}」', { name })}
      width={width}
      schema={reportBody}
      initialValues={values}
      onSubmit={(changed) => update.mutateAsync({ ...changed, id, rev })}
      done={t('更新成功')}
    >
      <Fields />
    </FormDrawer>
  )
}

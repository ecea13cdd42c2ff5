import type { DataOf } from '@ithings/contract/endpoint.ts'
import {
  createReport,
  deleteReport,
  listReportRuns,
  type Report,
  ReportState,
  type readReport,
  reportScheduleLabels,
  runReport,
  updateReport,
} from '@ithings/contract/features/reports.ts'
import { t } from '@ithings/contract/text.ts'
import { lazy, Suspense } from 'react'
import { useConfirm } from '#kit/confirm.tsx'
import type { FilterField, FiltersOf, RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { useMemo } from '#language/use-memo.ts'
import { reportColumns } from '../parts/report-columns.tsx'
import { readForEdit, reportsQuery, useDeleteReport } from '../queries.ts'

// Behind their buttons: the list does not wait for them.
const HistoryDrawer = lazy(async () => ({ default: (await import('../parts/history-drawer.tsx')).HistoryDrawer }))
const CreateReportForm = lazy(async () => ({ default: (await import('../parts/report-form.tsx')).CreateReportForm }))
const EditReportForm = lazy(async () => ({ default: (await import('../parts/report-form.tsx')).EditReportForm }))
const RunForm = lazy(async () => ({ default: (await import('../parts/run-form.tsx')).RunForm }))

const filterFields = (): FilterField[] => [
  { name: 'name', label: t('报表名称'), control: 'text' },
  {
    name: 'schedule',
    label: t('生成计划'),
    control: 'select',
    options: Object.entries(reportScheduleLabels).map(([value, label]) => ({ value: Number(value), label })),
  },
  {
    name: 'isEnable',
    label: t('启用', { context: 'label' }),
    control: 'select',
    options: [
      { value: ReportState.on, label: t('启用', { context: 'state' }) },
      { value: ReportState.off, label: t('停用', { context: 'state' }) },
    ],
  },
]

type Dialog =
  | { kind: 'create' }
  | { kind: 'edit'; report: DataOf<typeof readReport> }
  | { kind: 'run' | 'history'; report: Report }

/** 运维监控 / 报表: what is told to whom, when, and what was told. */
export function ReportList() {
  const confirm = useConfirm()
  const remove = useDeleteReport()
  const { about: dialog, open, session, show, close } = useDialog<Dialog>()
  const filters = useMemo(filterFields, [])
  const columns = useMemo(() => reportColumns((report) => show({ kind: 'history', report })), [show])
  const askDelete = ({ id, name }: Report) =>
    confirm({
      title: t('删除报表「{name}」？', { name }),
      content: t('历史和已生成的文件一并删除，已发出的下载链接失效。'),
      danger: true,
      okText: t('删除'),
      onOk: () => remove.mutateAsync({ id }),
      done: t('已删除「{name}」', { name }),
    })
  // A refusal is told by the call itself.
  const edit = (id: number) =>
    readForEdit(id).then(
      (report) => show({ kind: 'edit', report }),
      () => undefined,
    )
  const actionsOf = (report: Report): RowAction[] => [
    { key: 'run', label: t('立即生成'), needs: runReport, onClick: () => show({ kind: 'run', report }) },
    { key: 'history', label: t('历史'), needs: listReportRuns, onClick: () => show({ kind: 'history', report }) },
    { key: 'edit', label: t('编辑'), needs: updateReport, onClick: () => void edit(report.id) },
    { key: 'delete', label: t('删除'), needs: deleteReport, danger: true, onClick: () => askDelete(report) },
  ]
  return (
    <>
      <ListPage<Report, FiltersOf<typeof reportsQuery>>
        title={t('报表')}
        subtitle={t('按计划把属性、告警和可用率做成文件，发送到邮件和 Webhook')}
        create={{ text: t('新增报表'), needs: createReport, onClick: () => show({ kind: 'create' }) }}
        filters={filters}
        columns={columns}
        rowKey="id"
        storageKey="reports"
        query={({ page, filters: given }) => reportsQuery({ page, ...given })}
        rowActions={actionsOf}
        exportName={t('报表')}
        index
        empty={{
          title: t('还没有报表'),
          text: t('例如每天早上八点，把昨天的可用率和告警发到邮箱。'),
        }}
      />
      <Suspense>
        {dialog?.kind === 'create' && <CreateReportForm key={session} open={open} onClose={close} />}
        {dialog?.kind === 'edit' && <EditReportForm key={session} report={dialog.report} open={open} onClose={close} />}
        {dialog?.kind === 'run' && (
          <RunForm
            key={session}
            report={dialog.report}
            open={open}
            onClose={close}
            onStarted={() => show({ kind: 'history', report: dialog.report })}
          />
        )}
        {dialog?.kind === 'history' && (
          <HistoryDrawer key={session} report={dialog.report} open={open} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

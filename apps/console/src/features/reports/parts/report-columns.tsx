import { type Report, ReportState, updateReport } from '@ithings/contract/features/reports.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Switch } from 'antd'
import { useState } from 'react'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useUpdateReport } from '../queries.ts'
import { contentText, runLooks, scheduleText, targetText } from '../report-words.ts'

/** On or off at once. */
function EnableSwitch({ report: { id, rev, name, isEnable } }: { report: Report }) {
  const { message } = App.useApp()
  const update = useUpdateReport()
  const may = useMay()
  const [wanted, setWanted] = useState<boolean>()
  const change = async (on: boolean) => {
    setWanted(on)
    try {
      await update.mutateAsync({ id, rev, isEnable: on ? ReportState.on : ReportState.off })
      void message.success(on ? t('已启用「{name}」', { name }) : t('已停用「{name}」', { name }))
    } catch (error) {
      void message.error(describeError(error).reason)
    } finally {
      setWanted(undefined)
    }
  }
  return (
    <Switch
      size="small"
      aria-label={t('启用 {name}', { name })}
      checked={wanted ?? isEnable === ReportState.on}
      loading={wanted !== undefined}
      disabled={!may(updateReport)}
      onChange={(on) => void change(on)}
    />
  )
}

/** @param open shows the history of a report */
export const reportColumns = (open: (report: Report) => void): ListColumn<Report>[] => [
  {
    key: 'name',
    title: t('报表名称'),
    dataIndex: 'name',
    sorter: true,
    hideable: false,
    truncate: 220,
    phone: 'title',
    render: (_value, report) => (
      <button type="button" className="plain-button cut start link inline-block" onClick={() => open(report)}>
        {report.name}
      </button>
    ),
  },
  {
    key: 'isEnable',
    title: t('启用', { context: 'state' }),
    width: 80,
    phone: 'status',
    render: (_value, report) => <EnableSwitch report={report} />,
    exportText: ({ isEnable }) =>
      isEnable === ReportState.on ? t('启用', { context: 'state' }) : t('停用', { context: 'state' }),
  },
  { key: 'schedule', title: t('生成计划'), width: 160, phone: 'subtitle', exportText: scheduleText },
  { key: 'target', title: t('设备'), truncate: 180, phone: 'meta', exportText: targetText },
  { key: 'content', title: t('内容'), truncate: 180, phone: 'hide', exportText: contentText },
  { key: 'format', title: t('格式'), width: 80, phone: 'hide', exportText: ({ format }) => format.toUpperCase() },
  {
    key: 'lastTime',
    title: t('最近一次'),
    sorter: true,
    width: 180,
    phone: 'meta',
    render: (_value, { lastTime, lastState }) => (
      <span className="inline-row gap-8">
        <TimeText value={lastTime} />
        {lastTime > 0 && <StatusTag looks={runLooks} value={lastState} />}
      </span>
    ),
    exportText: ({ lastTime }) => (lastTime > 0 ? new Date(lastTime).toISOString() : ''),
  },
  { key: 'nextTime', title: t('下一次'), sorter: true, width: 140, phone: 'meta', time: 'relative' },
  { key: 'createdBy', title: t('创建人'), width: 120, dataIndex: 'createdBy', hiddenAtFirst: true },
  { key: 'createdTime', title: t('创建时间'), sorter: true, width: 184, time: 'exact', hiddenAtFirst: true },
]

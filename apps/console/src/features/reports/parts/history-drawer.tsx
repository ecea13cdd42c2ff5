import { DownloadOutlined } from '@ant-design/icons'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { DeliveryState, deliveryStateLabels } from '@ithings/contract/features/notify.ts'
import { type Report, type ReportRun, reportLimits, reportTriggerLabels } from '@ithings/contract/features/reports.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Tooltip } from 'antd'
import { ChannelTypeIcon } from '#blocks/channel-type-icon.tsx'
import { downloadByLink } from '#kit/download.ts'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { sizeText } from '#kit/size-text.ts'
import { labelOf, lookOf, type StatusLooks, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { useMemo } from '#language/use-memo.ts'
import { reportRunsQuery } from '../queries.ts'
import { runLooks } from '../report-words.ts'

const toldLooks: StatusLooks = {
  0: { text: '记录已清理', tone: 'default' },
  [DeliveryState.waiting]: { text: deliveryStateLabels[DeliveryState.waiting], tone: 'processing' },
  [DeliveryState.sent]: { text: deliveryStateLabels[DeliveryState.sent], tone: 'success' },
  [DeliveryState.failed]: { text: deliveryStateLabels[DeliveryState.failed], tone: 'error' },
}
/** It is being made, or somebody is being told. */
const isOpen = ({ state, told }: ReportRun) =>
  state === JobStatus.waiting || state === JobStatus.running || told.some((one) => one.state === DeliveryState.waiting)

const lookAgainMs = 2_000
const pace = ({ state }: { state: { data?: { list: ReportRun[] } | undefined } }) =>
  state.data?.list.some(isOpen) ? lookAgainMs : false
const minuteFormat = 'YYYY-MM-DD HH:mm'
const periodText = ({ from, to }: ReportRun) => `${formatTime(from, minuteFormat)} – ${formatTime(to, minuteFormat)}`

const stateFilter: FilterField = {
  name: 'state',
  label: '状态',
  control: 'select',
  options: Object.entries(runLooks).map(([value, { text }]) => ({ value: Number(value), label: text })),
}

const Told = ({ run: { told, problems } }: { run: ReportRun }) => (
  <span className="column gap-4">
    {told.map(({ channelID, channelName, type, target, state, error }) => (
      <Tooltip key={channelID} title={error || target}>
        <span className="inline-row gap-8">
          <ChannelTypeIcon type={type} />
          <span className="cut">{channelName}</span>
          <StatusTag looks={toldLooks} value={state} />
        </span>
      </Tooltip>
    ))}
    {problems.map((problem) => (
      <span key={problem} className="error-text small">
        {problem}
      </span>
    ))}
    {told.length + problems.length === 0 && <span className="no-value">—</span>}
  </span>
)

const columns = (): ListColumn<ReportRun>[] => [
  {
    key: 'from',
    title: t('统计时段'),
    sorter: true,
    hideable: false,
    phone: 'title',
    exportText: periodText,
  },
  {
    key: 'state',
    title: t('状态'),
    width: 120,
    phone: 'status',
    render: (_value, { state, error }) => (
      <Tooltip title={error}>
        <span>
          <StatusTag looks={runLooks} value={state} />
        </span>
      </Tooltip>
    ),
    exportText: ({ state, error }) => error || lookOf(runLooks, state).text,
  },
  {
    key: 'file',
    title: t('报表文件'),
    phone: 'subtitle',
    render: (_value, { fileUri, fileName, fileSize, error, state }) =>
      fileUri === '' ? (
        <span className={state === JobStatus.failed ? 'error-text small' : 'no-value'}>{error || '—'}</span>
      ) : (
        <Button
          type="link"
          size="small"
          className="report-file start"
          style={{ height: 'auto', whiteSpace: 'normal', paddingInline: 0 }}
          icon={<DownloadOutlined />}
          onClick={() => downloadByLink(fileUri, fileName)}
        >
          {fileName} <span className="meta">{sizeText(fileSize)}</span>
        </Button>
      ),
    exportText: ({ fileName }) => fileName,
  },
  {
    key: 'told',
    title: t('已通知'),
    phone: 'meta',
    render: (_value, run) => <Told run={run} />,
    exportText: ({ told }) => told.map(({ channelName }) => channelName).join(' '),
  },
  {
    key: 'trigger',
    title: t('触发'),
    width: 88,
    phone: 'hide',
    exportText: ({ trigger }) => labelOf(reportTriggerLabels, trigger),
  },
  { key: 'createdTime', title: t('生成时间'), sorter: true, width: 184, phone: 'hide', time: 'exact' },
]

/** Every run with its file and who was told; looked at again while one is under way. */
export function HistoryDrawer({ report, ...opened }: { report: Report; open: boolean; onClose: () => void }) {
  const shown = useMemo(columns, [])
  const { id, name } = report
  return (
    <SideDrawer {...opened} title={t('「{name}」的历史', { name })} width={1120}>
      <ListPage<ReportRun, { state?: number }>
        embedded
        title={t('历史')}
        urlPrefix="run"
        filters={[stateFilter]}
        columns={shown}
        rowKey={({ id: runID }) => String(runID)}
        storageKey="report-runs"
        exportName={t('「{name}」的历史', { name })}
        query={({ page, filters }) => ({
          ...reportRunsQuery({ id, page, ...filters } as Parameters<typeof reportRunsQuery>[0]),
          refetchInterval: pace,
        })}
        empty={{
          title: t('还没有生成过'),
          text: t('到了计划的时间，或点击「立即生成」之后，每次生成列在这里；最多保留 {count} 次。', {
            count: reportLimits.runs,
          }),
        }}
      />
    </SideDrawer>
  )
}

import { firmwareModuleLabels } from '@ithings/contract/features/ota/firmware.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { type OtaTask, otaScopeLabels, otaStrategyLabels } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { Link, useSearchParams } from 'react-router'
import { ProductLink, ProgressCell, textColumn } from '#blocks/rollout/columns.tsx'
import { CopyButton } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { numberText } from '#kit/number-text.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { taskLook } from '../../labels.ts'
import { barParts, countOf, endedOf, percentText, successRate, totalOf } from '../../progress.ts'

const twoLines = (first: React.ReactNode, second: React.ReactNode) => (
  <span className="cell-lines line-18 middle">
    <span>{first}</span>
    <span className="meta">{second}</span>
  </span>
)

/** To a task, with the filters of the list kept in the address: its way back leads to the same list. */
function TaskLink({ task }: { task: OtaTask }) {
  const [params] = useSearchParams()
  const next = new URLSearchParams(params)
  next.set('taskID', String(task.taskID))
  return (
    <Link className="rollout-name cut start link inline-block bold" to={{ search: `?${next}` }}>
      {task.firmwareName} <span className="mono">{task.version}</span>
    </Link>
  )
}

/** The progress of a task in one cell: the bar by codes, and how good it is. */
function TaskBar({ task: { counts, total, away } }: { task: OtaTask }) {
  const whole = Math.max(total, totalOf(counts))
  if (whole === 0) return <span className="no-value">{t('还没有设备')}</span>
  const rate = successRate(counts)
  const failed = countOf(counts, OtaStatus.failed)
  return (
    <ProgressCell parts={barParts(counts)} total={whole} label={t('升级进度')}>
      <span className="flex gap-12">
        <span>
          {numberText(endedOf(counts))} / {numberText(whole)}
        </span>
        {failed > 0 && <span className="tone-error">{t('失败 {failed, number}', { failed })}</span>}
        {away > 0 && <span className="tone-warning">{t('{count, number} 台离线', { count: away })}</span>}
        {rate !== undefined && (
          <span className="quiet to-end">{t('成功率 {percent}', { percent: percentText(rate) })}</span>
        )}
      </span>
    </ProgressCell>
  )
}

const moduleText = ({ module }: OtaTask) => labelOf(firmwareModuleLabels, module)
const scopeText = ({ type }: OtaTask) => labelOf(otaScopeLabels, type)
const strategyText = ({ upgradeType }: OtaTask) => labelOf(otaStrategyLabels, upgradeType)
const planText = ({ stages }: OtaTask) =>
  stages.length > 1 ? t('{count} 个阶段', { count: stages.length }) : t('不分阶段')

/** screens.md 22. */
export const taskColumns: ListColumn<OtaTask>[] = [
  {
    key: 'firmwareName',
    title: '固件 / 批次号',
    hideable: false,
    phone: 'title',
    render: (_value, task) =>
      twoLines(
        <TaskLink task={task} />,
        <span className="inline-row gap-4">
          <span className="mono small">{task.taskUid}</span>
          <CopyButton text={task.taskUid} label={t('复制批次号')} />
        </span>,
      ),
    exportText: (task) => `${task.firmwareName} ${task.version}`,
  },
  textColumn('taskUid', '批次号', ({ taskUid }) => taskUid, {
    hiddenAtFirst: true,
    phone: 'hide',
    render: (_value, { taskUid }) => <span className="mono">{taskUid}</span>,
  }),
  textColumn('productName', '产品 / 模块', (task) => `${task.productName} ${moduleText(task)}`, {
    render: (_value, task) => twoLines(<ProductLink of={task} />, moduleText(task)),
  }),
  textColumn('type', '方式 / 策略', (task) => `${scopeText(task)} ${strategyText(task)}`, {
    phone: 'hide',
    render: (_value, task) =>
      twoLines(scopeText(task), t('{strategy}，{plan}', { strategy: strategyText(task), plan: planText(task) })),
  }),
  {
    key: 'progress',
    title: '进度',
    className: 'cell-progress',
    phone: 'meta',
    render: (_value, task) => <TaskBar task={task} />,
    exportText: (task) =>
      t('成功 {success} / {total}', { success: countOf(task.counts, OtaStatus.success), total: task.total }),
  },
  {
    key: 'status',
    title: '状态',
    sorter: true,
    phone: 'status',
    render: (_value, task) => <StatusTag {...taskLook(task)} />,
    exportText: (task) => t(taskLook(task).text),
  },
  textColumn('createdTime', '创建 / 计划', ({ createdTime }) => formatTime(createdTime), {
    sorter: true,
    render: (_value, task) =>
      twoLines(
        <TimeText value={task.createdTime} />,
        task.scheduleTime > 0 ? t('计划 {time}', { time: formatTime(task.scheduleTime, 'MM-DD HH:mm') }) : t('立即'),
      ),
  }),
  { key: 'userName', title: '创建人', dataIndex: 'userName', hiddenAtFirst: true, phone: 'hide' },
]

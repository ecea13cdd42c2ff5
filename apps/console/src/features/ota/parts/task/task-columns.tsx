import { firmwareModuleLabels } from '@ithings/contract/features/ota/firmware.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { type OtaTask, otaScopeLabels, otaStrategyLabels } from '@ithings/contract/features/ota/task.ts'
import { Link } from 'react-router'
import { CopyButton } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { taskLook } from '../../labels.ts'
import { productPath } from '../../paths.ts'
import { countOf } from '../../progress.ts'
import { TaskBar } from './task-bar.tsx'
import { TaskLink } from './task-link.tsx'

const twoLines = (first: React.ReactNode, second: React.ReactNode) => (
  <span className="task-two">
    <span>{first}</span>
    <span className="meta">{second}</span>
  </span>
)

const planText = ({ stages }: OtaTask) => (stages.length > 1 ? `${stages.length} 个阶段` : '不分阶段')

/** screens.md 22. */
export const taskColumns: ListColumn<OtaTask>[] = [
  {
    key: 'firmwareName',
    title: '固件 / 批次号',
    hideable: false,
    phone: 'title',
    render: (_value, task) =>
      twoLines(
        <TaskLink taskID={task.taskID}>
          {task.firmwareName} <span className="mono">{task.version}</span>
        </TaskLink>,
        <span className="task-uid inline-row gap-4">
          <span className="mono">{task.taskUid}</span>
          <CopyButton text={task.taskUid} label="复制批次号" />
        </span>,
      ),
    exportText: (task) => `${task.firmwareName} ${task.version}`,
  },
  {
    key: 'taskUid',
    title: '批次号',
    hiddenAtFirst: true,
    phone: 'hide',
    render: (_value, task) => <span className="mono">{task.taskUid}</span>,
    exportText: (task) => task.taskUid,
  },
  {
    key: 'productName',
    title: '产品 / 模块',
    phone: 'meta',
    render: (_value, task) =>
      twoLines(
        <Link className="task-product" to={productPath(task.productID)}>
          {task.productName || task.productID}
        </Link>,
        labelOf(firmwareModuleLabels, task.module),
      ),
    exportText: (task) => `${task.productName} ${labelOf(firmwareModuleLabels, task.module)}`,
  },
  {
    key: 'type',
    title: '方式 / 策略',
    phone: 'hide',
    render: (_value, task) =>
      twoLines(
        labelOf(otaScopeLabels, task.type),
        `${labelOf(otaStrategyLabels, task.upgradeType)}，${planText(task)}`,
      ),
    exportText: (task) => `${labelOf(otaScopeLabels, task.type)} ${labelOf(otaStrategyLabels, task.upgradeType)}`,
  },
  {
    key: 'progress',
    title: '进度',
    className: 'cell-progress',
    phone: 'meta',
    render: (_value, task) => <TaskBar counts={task.counts} total={task.total} away={task.away} />,
    exportText: (task) => `成功 ${countOf(task.counts, OtaStatus.success)} / ${task.total}`,
  },
  {
    key: 'status',
    title: '状态',
    sorter: true,
    phone: 'status',
    render: (_value, task) => <StatusTag {...taskLook(task)} />,
    exportText: (task) => taskLook(task).text,
  },
  {
    key: 'createdTime',
    title: '创建 / 计划',
    sorter: true,
    phone: 'meta',
    render: (_value, task) =>
      twoLines(
        <TimeText value={task.createdTime} />,
        task.scheduleTime > 0 ? `计划 ${formatTime(task.scheduleTime, 'MM-DD HH:mm')}` : '立即',
      ),
    exportText: (task) => formatTime(task.createdTime),
  },
  { key: 'userName', title: '创建人', dataIndex: 'userName', hiddenAtFirst: true, phone: 'hide' },
]

import {
  ArrowLeftOutlined,
  CaretRightOutlined,
  EllipsisOutlined,
  ExportOutlined,
  PauseOutlined,
} from '@ant-design/icons'
import { exportOtaDevices, retryOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { firmwareModuleLabels } from '@ithings/contract/features/ota/firmware.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import {
  cancelOtaTask,
  createOtaTask,
  type OtaTask,
  otaScopeLabels,
  otaStrategyLabels,
  pauseOtaTask,
  resumeOtaTask,
} from '@ithings/contract/features/ota/task.ts'
import { Button, Dropdown } from 'antd'
import { Link, useSearchParams } from 'react-router'
import { useExportJob } from '#blocks/use-export-job.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { usePageName } from '#kit/page-name.ts'
import { May, useHeld } from '#kit/rights.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { isHalted, isTaskOpen, taskLook } from '../../labels.ts'
import { productPath } from '../../paths.ts'
import { countOf } from '../../progress.ts'
import { useTaskWork } from '../../task-queries.ts'
import { useTaskActions } from '../task/use-task-actions.tsx'
import { type DetailFilter, stageShown } from './detail-filter.ts'

function Facts({ task }: { task: OtaTask }) {
  const window = [
    task.scheduleTime > 0 && `${formatTime(task.scheduleTime, 'MM-DD HH:mm')} 开始`,
    task.scheduleFinishTime > 0 && `${formatTime(task.scheduleFinishTime, 'MM-DD HH:mm')} 截止`,
  ].filter((part) => part !== false)
  return (
    <div className="task-line flex wrap quiet">
      <span>
        批次号 <Copyable text={task.taskUid} />
      </span>
      <span>
        产品 <Link to={productPath(task.productID)}>{task.productName || task.productID}</Link>
      </span>
      <span>
        模块 <b>{labelOf(firmwareModuleLabels, task.module)}</b>
      </span>
      <span>
        策略{' '}
        <b>
          {labelOf(otaStrategyLabels, task.upgradeType)} · {labelOf(otaScopeLabels, task.type)}
        </b>
      </span>
      <span>
        推送 <b>{task.maximumPerMinute.toLocaleString()} 台/分钟</b>
      </span>
      {task.probationMinutes > 0 && (
        <span>
          观察 <b>{task.probationMinutes} 分钟</b>
        </span>
      )}
      {window.length > 0 && <span>{window.join('，')}</span>}
      <span>
        {task.userName} 创建于 <b>{formatTime(task.createdTime, 'MM-DD HH:mm')}</b>
      </span>
      {task.note && <span className="anywhere">{task.note}</span>}
    </div>
  )
}

/** The rows of the present filter as a file, made by a job. */
function useDeviceExport(task: OtaTask, filter: DetailFilter) {
  const work = useTaskWork()
  return useExportJob('导出升级设备', () => {
    const { status, name, reason } = filter
    const stage = stageShown(task, filter)
    return work.exportDevices({
      taskUid: task.taskUid,
      deviceName: name,
      reason,
      ...(status && { status }),
      ...(stage !== undefined && { stage }),
    })
  })
}

/** What it is, how it stands, and what can be done. */
export function TaskHeader({ task, filter, onBack }: { task: OtaTask; filter: DetailFilter; onBack: () => void }) {
  const [, setParams] = useSearchParams()
  const actions = useTaskActions()
  const exporting = useDeviceExport(task, filter)
  const failed = countOf(task.counts, OtaStatus.failed)
  const open = isTaskOpen(task)
  usePageName(`${task.firmwareName} ${task.version}`)
  const copy = () =>
    setParams((before) => {
      before.set('copy', String(task.taskID))
      return before
    })
  const more = useHeld()([
    { key: 'copy', label: '复制任务', needs: createOtaTask, onClick: copy },
    ...(open ? [{ key: 'cancel', label: '取消任务', needs: cancelOtaTask, onClick: () => actions.cancel(task) }] : []),
  ])
  return (
    <header className="task-head row wrap between">
      <div className="task-identity">
        <div className="task-title row gap-12">
          <Button type="text" icon={<ArrowLeftOutlined />} aria-label="返回任务列表" onClick={onBack} />
          <h1>
            {task.firmwareName} {task.version}
          </h1>
          <StatusTag filled {...taskLook(task)} />
        </div>
        <Facts task={task} />
      </div>
      <div className="task-buttons row gap-8">
        <May needs={exportOtaDevices}>
          <Button type="text" icon={<ExportOutlined />} onClick={() => void exporting.start()}>
            导出
          </Button>
        </May>
        {failed > 0 && (
          <May needs={retryOtaDevices}>
            <Button onClick={() => actions.retryFailed(task)}>重试失败 {failed.toLocaleString()}</Button>
          </May>
        )}
        {more.length > 0 && (
          <Dropdown trigger={['click']} placement="bottomRight" menu={{ items: more }}>
            <Button icon={<EllipsisOutlined />} aria-label="更多操作" />
          </Dropdown>
        )}
        {open && task.paused !== 1 && (
          <May needs={pauseOtaTask}>
            <Button type="primary" icon={<PauseOutlined />} onClick={() => void actions.pause(task)}>
              暂停任务
            </Button>
          </May>
        )}
        {open && task.paused === 1 && !isHalted(task) && (
          <May needs={resumeOtaTask}>
            <Button type="primary" icon={<CaretRightOutlined />} onClick={() => void actions.resume(task)}>
              继续任务
            </Button>
          </May>
        )}
      </div>
      {exporting.modal}
    </header>
  )
}

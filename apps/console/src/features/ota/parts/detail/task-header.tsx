import { ArrowLeftOutlined, CaretRightOutlined, EllipsisOutlined, PauseOutlined } from '@ant-design/icons'
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
import { t } from '@ithings/contract/text.ts'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '#api/call.ts'
import { ProductLink } from '#blocks/rollout/columns.tsx'
import { useExportJob } from '#blocks/use-export-job.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { ExportButton } from '#kit/export-button.tsx'
import { usePageName } from '#kit/page-name.ts'
import { RichText } from '#kit/rich-text.tsx'
import { ActButton, May, useHeld } from '#kit/rights.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { isHalted, isTaskOpen, taskLook } from '../../labels.ts'
import { countOf } from '../../progress.ts'
import { useTaskActions } from '../task/use-task-actions.tsx'
import { type DetailFilter, stageShown } from './detail-filter.ts'

function Facts({ task }: { task: OtaTask }) {
  const moment = (time: number) => formatTime(time, 'MM-DD HH:mm')
  const window = [
    task.scheduleTime > 0 && t('{time} 开始', { time: moment(task.scheduleTime) }),
    task.scheduleFinishTime > 0 && t('{time} 截止', { time: moment(task.scheduleFinishTime) }),
  ].filter((part) => part !== false)
  const facts: [string, ReactNode][] = [
    [t('批次号'), <Copyable key="uid" text={task.taskUid} />],
    [t('产品'), <ProductLink key="product" of={task} />],
    [t('模块'), <b key="module">{labelOf(firmwareModuleLabels, task.module)}</b>],
    [
      t('策略'),
      <b key="strategy">
        {labelOf(otaStrategyLabels, task.upgradeType)} · {labelOf(otaScopeLabels, task.type)}
      </b>,
    ],
    [
      t('推送', { context: 'rate' }),
      <b key="rate">{t('{count, number} 台/分钟', { count: task.maximumPerMinute })}</b>,
    ],
    ...(task.probationMinutes > 0
      ? [
          [t('观察'), <b key="probation">{t('{minutes} 分钟', { minutes: task.probationMinutes })}</b>] satisfies [
            string,
            ReactNode,
          ],
        ]
      : []),
  ]
  return (
    <div className="task-line above-4 size-13 flex wrap quiet">
      {facts.map(([label, value]) => (
        <span key={label}>
          {label} {value}
        </span>
      ))}
      {window.length > 0 && <span>{window.join(t('，'))}</span>}
      <span>
        <RichText
          text={t('{user} 创建于 <0>{time}</0>', { user: task.userName, time: moment(task.createdTime) })}
          parts={[<b key="time" />]}
        />
      </span>
      {task.note && <span className="anywhere">{task.note}</span>}
    </div>
  )
}

/** The rows of the present filter as a file, made by a job. */
function useDeviceExport(task: OtaTask, filter: DetailFilter) {
  const { status, name, reason } = filter
  const stage = stageShown(task, filter)
  const body = {
    taskUid: task.taskUid,
    deviceName: name,
    reason,
    ...(status && { status }),
    ...(stage !== undefined && { stage }),
  }
  return useExportJob(t('导出升级设备'), (format) => call(exportOtaDevices, { ...body, format }, { quiet: true }))
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
    { key: 'copy', label: t('复制任务'), needs: createOtaTask, onClick: copy },
    ...(open
      ? [{ key: 'cancel', label: t('取消任务'), needs: cancelOtaTask, onClick: () => actions.cancel(task) }]
      : []),
  ])
  return (
    <header className="row wrap between" style={{ gap: '8px 24px' }}>
      <div className="shrink" style={{ flex: '1 1 480px' }}>
        <div className="task-title touch row gap-12">
          <Button type="text" icon={<ArrowLeftOutlined />} aria-label={t('返回任务列表')} onClick={onBack} />
          <h1>
            {task.firmwareName} {task.version}
          </h1>
          <StatusTag filled {...taskLook(task)} />
        </div>
        <Facts task={task} />
      </div>
      <div className="task-buttons touch row gap-8">
        <May needs={exportOtaDevices}>
          <ExportButton type="text" onPick={(format) => void exporting.start(format)}>
            {t('导出')}
          </ExportButton>
        </May>
        {failed > 0 && (
          <ActButton needs={retryOtaDevices} onClick={() => actions.retryFailed(task)}>
            {t('重试失败 {count, number}', { count: failed })}
          </ActButton>
        )}
        {more.length > 0 && (
          <Dropdown trigger={['click']} placement="bottomRight" menu={{ items: more }}>
            <Button icon={<EllipsisOutlined />} aria-label={t('更多操作')} />
          </Dropdown>
        )}
        {open && task.paused !== 1 && (
          <ActButton
            needs={pauseOtaTask}
            type="primary"
            icon={<PauseOutlined />}
            onClick={() => void actions.pause(task)}
          >
            {t('暂停任务')}
          </ActButton>
        )}
        {open && task.paused === 1 && !isHalted(task) && (
          <ActButton
            needs={resumeOtaTask}
            type="primary"
            icon={<CaretRightOutlined />}
            onClick={() => void actions.resume(task)}
          >
            {t('继续任务')}
          </ActButton>
        )}
      </div>
      {exporting.modal}
    </header>
  )
}

import { StopFilled } from '@ant-design/icons'
import { dayMs } from '@ithings/contract/durations.ts'
import { cancelOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { adjustOtaTask, cancelOtaTask, type OtaTask, resumeOtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, DatePicker, Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useActs } from '#blocks/rollout/use-acts.ts'
import { ActButton, May } from '#kit/rights.tsx'
import { formatTime, zoneLabel } from '#kit/time.ts'
import { isHalted, isTaskOpen } from '../../labels.ts'
import { isBlocked, stageNo } from '../../progress.ts'
import { useTaskSend } from '../../task-queries.ts'
import { useManyDevices, useTaskActions } from '../task/use-task-actions.tsx'

/** The task stopped by itself: why, and the two ways on. */
export function HaltBanner({ task }: { task: OtaTask }) {
  const actions = useTaskActions()
  if (!isHalted(task)) return null
  return (
    <Alert
      className="halt-banner"
      classNames={{ icon: 'size-20', section: 'halt-words', title: 'subtitle', actions: 'halt-ways' }}
      type="error"
      showIcon
      icon={<StopFilled />}
      title={t('任务在阶段 {stageNo} 自动停止', { stageNo: stageNo(task.stages, task.stage) })}
      description={t(
        '{reason}。已推送的设备会继续完成，其余不再推送。看清失败原因，重试失败的设备再继续，或取消任务。',
        { reason: task.haltReason },
      )}
      action={
        <span className="halt-actions touch inline-row gap-8">
          <ActButton needs={cancelOtaTask} onClick={() => actions.cancel(task)}>
            {t('取消任务')}
          </ActButton>
          <ActButton needs={resumeOtaTask} type="primary" onClick={() => void actions.resume(task)}>
            {t('继续任务')}
          </ActButton>
        </span>
      }
    />
  )
}

/** Until when devices are waited for: the end of the task. */
function WaitUntil({ task: { taskID, scheduleFinishTime } }: { task: OtaTask }) {
  const { orTell } = useActs()
  const send = useTaskSend()
  const [open, setOpen] = useState(false)
  const [moment, setMoment] = useState(() => dayjs(scheduleFinishTime * 1000 || Date.now() + dayMs))
  const save = async () => {
    await orTell(
      t('修改截止时间'),
      send(adjustOtaTask, { taskID, scheduleFinishTime: moment.unix() }),
      t('已修改截止时间'),
    )
    setOpen(false)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('等到…')}</Button>
      <Modal
        title={t('等离线设备到什么时候？')}
        open={open}
        okText={t('保存')}
        onCancel={() => setOpen(false)}
        onOk={save}
      >
        <p>{t('这是整个任务的截止时间：到时没有推送的设备（包括后面的阶段）记为升级失败，任务结束。')}</p>
        <DatePicker
          aria-label={t('截止时间')}
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          value={moment}
          minDate={dayjs()}
          allowClear={false}
          onChange={(chosen) => chosen && setMoment(chosen)}
        />{' '}
        <span className="meta">{zoneLabel()}</span>
      </Modal>
    </>
  )
}

function AwayActions({ task, hasNext }: { task: OtaTask; hasNext: boolean }) {
  const { ask, orTell } = useActs()
  const send = useTaskSend()
  const many = useManyDevices()
  const skip = () =>
    ask({
      title: t('跳过 {count, number} 台离线的设备？', { count: task.away }),
      content: t('它们记为已取消，不计入成功率，上线后也不再推送；以后可以重试。'),
      okText: t('跳过离线'),
      work: () => many('skip', cancelOtaDevices, { taskUid: task.taskUid, away: true }),
    })
  const pass = () =>
    void orTell(t('放行'), send(adjustOtaTask, { taskID: task.taskID, stage: task.stage }), t('已放行'))
  return (
    <span className="halt-actions touch inline-row gap-8">
      <May needs={adjustOtaTask}>
        <WaitUntil task={task} />
      </May>
      <ActButton needs={cancelOtaDevices} onClick={skip}>
        {t('跳过离线')}
      </ActButton>
      {hasNext && (
        <ActButton needs={adjustOtaTask} type="primary" onClick={pass}>
          {t('放行到下一阶段')}
        </ActButton>
      )}
    </span>
  )
}

function awayText(task: OtaTask): string {
  const until = task.scheduleFinishTime > 0 ? formatTime(task.scheduleFinishTime, 'MM-DD HH:mm') : undefined
  if (task.stages.length < 2 || !task.stages[task.stage]) {
    return until
      ? t('其他设备都已有结果。离线设备上线后自动推送，最晚到 {until}。', { until })
      : t('其他设备都已有结果。离线设备上线后自动推送。')
  }
  const stage = stageNo(task.stages, task.stage)
  return until
    ? t('阶段 {stage} 的其他设备都已有结果。离线设备上线后自动推送，最晚到 {until}。', { stage, until })
    : t('阶段 {stage} 的其他设备都已有结果。离线设备上线后自动推送。', { stage })
}

/** Everybody else is done, and the task waits for devices that are not there: who, and the ways on. */
export function AwayBanner({ task }: { task: OtaTask }) {
  const stage = task.stages[task.stage]
  const blocked = stage ?? task
  if (!isTaskOpen(task) || task.paused === 1 || !isBlocked(blocked)) return null
  return (
    <Alert
      className="halt-banner"
      classNames={{ icon: 'size-20', section: 'halt-words', title: 'subtitle', actions: 'halt-ways' }}
      type="warning"
      showIcon
      title={t('{count, number} 台离线，等待中', { count: blocked.away })}
      description={awayText(task)}
      action={
        <AwayActions task={task} hasNext={task.stages.slice(task.stage + 1).some(({ devices }) => devices > 0)} />
      }
    />
  )
}

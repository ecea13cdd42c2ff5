import { dayMs } from '@ithings/contract/durations.ts'
import { cancelOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { adjustOtaTask, type OtaTask } from '@ithings/contract/features/ota/task.ts'
import { Alert, Button, DatePicker, Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useConfirm } from '#kit/confirm.tsx'
import { May } from '#kit/rights.tsx'
import { formatTime, zoneLabel } from '#kit/time.ts'
import { isTaskOpen } from '../../labels.ts'
import { isBlocked, stageNo } from '../../progress.ts'
import { useTaskActions } from '../task/use-task-actions.tsx'

/** Until when devices are waited for: the end of the task. */
function WaitUntil({ task }: { task: OtaTask }) {
  const { work, orTell } = useTaskActions()
  const [open, setOpen] = useState(false)
  const [moment, setMoment] = useState(() => dayjs(task.scheduleFinishTime * 1000 || Date.now() + dayMs))
  const save = () => work.adjust({ taskID: task.taskID, scheduleFinishTime: moment.unix() })
  return (
    <>
      <Button onClick={() => setOpen(true)}>等到…</Button>
      <Modal
        title="等离线设备到什么时候？"
        open={open}
        okText="保存"
        onCancel={() => setOpen(false)}
        onOk={() => orTell('修改截止时间', save()).then(() => setOpen(false))}
      >
        <p>这是整个任务的截止时间：到时没有推送的设备（包括后面的阶段）记为升级失败，任务结束。</p>
        <DatePicker
          aria-label="截止时间"
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

/** Everybody else is done, and the task waits for devices that are not there: who, and the ways on. */
export function AwayBanner({ task }: { task: OtaTask }) {
  const confirm = useConfirm()
  const { work, tellMany, orTell } = useTaskActions()
  const stage = task.stages[task.stage]
  const blocked = stage ?? task
  if (!isTaskOpen(task) || task.paused === 1 || !isBlocked(blocked)) return null
  const whom = `${blocked.away.toLocaleString()} 台离线`
  const hasNext = task.stages.slice(task.stage + 1).some(({ devices }) => devices > 0)
  const until = task.scheduleFinishTime > 0 ? `，最晚到 ${formatTime(task.scheduleFinishTime, 'MM-DD HH:mm')}` : ''
  const skip = () =>
    confirm({
      title: `跳过 ${task.away.toLocaleString()} 台离线的设备？`,
      content: '它们记为已取消，不计入成功率，上线后也不再推送；以后可以重试。',
      okText: '跳过离线',
      onOk: async () => tellMany('跳过', await work.cancelMany({ taskUid: task.taskUid, away: true })),
    })
  return (
    <Alert
      className="halt-banner"
      type="warning"
      showIcon
      title={`${whom}，等待中`}
      description={`${stage && task.stages.length > 1 ? `阶段 ${stageNo(task.stages, task.stage)} 的` : ''}其他设备都已有结果。离线设备上线后自动推送${until}。`}
      action={
        <span className="halt-actions">
          <May needs={adjustOtaTask}>
            <WaitUntil task={task} />
          </May>
          <May needs={cancelOtaDevices}>
            <Button onClick={skip}>跳过离线</Button>
          </May>
          {hasNext && (
            <May needs={adjustOtaTask}>
              <Button
                type="primary"
                onClick={() => void orTell('放行', work.adjust({ taskID: task.taskID, stage: task.stage }))}
              >
                放行到下一阶段
              </Button>
            </May>
          )}
        </span>
      }
    />
  )
}

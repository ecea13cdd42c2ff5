import { StopFilled } from '@ant-design/icons'
import { cancelOtaTask, type OtaTask, resumeOtaTask } from '@ithings/contract/features/ota/task.ts'
import { Alert, Button } from 'antd'
import { May } from '#kit/rights.tsx'
import { isHalted } from '../../labels.ts'
import { stageNo } from '../../progress.ts'
import { useTaskActions } from '../task/use-task-actions.tsx'

/** The task stopped by itself: why, and the two ways on. */
export function HaltBanner({ task }: { task: OtaTask }) {
  const actions = useTaskActions()
  if (!isHalted(task)) return null
  return (
    <Alert
      className="halt-banner"
      type="error"
      showIcon
      icon={<StopFilled />}
      title={`任务在阶段 ${stageNo(task.stages, task.stage)} 自动停止`}
      description={`${task.haltReason}。已推送的设备会继续完成，其余不再推送。看清失败原因，重试失败的设备再继续，或取消任务。`}
      action={
        <span className="halt-actions">
          <May needs={cancelOtaTask}>
            <Button onClick={() => actions.cancel(task)}>取消任务</Button>
          </May>
          <May needs={resumeOtaTask}>
            <Button type="primary" onClick={() => void actions.resume(task)}>
              继续任务
            </Button>
          </May>
        </span>
      }
    />
  )
}

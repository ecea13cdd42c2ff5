import type { DeviceTask } from '@ithings/contract/features/tasks.ts'
import { BatchModal } from '#kit/batch-modal.tsx'
import { useTaskWork } from '../queries.ts'
import { cancelText, whyNot } from '../task-words.ts'

interface TaskBatchProps {
  kind: 'cancel' | 'delete'
  tasks: readonly DeviceTask[]
  open: boolean
  onClose: (ran: boolean) => void
}

const words = {
  cancel: { word: '取消', text: cancelText },
  delete: { word: '删除', text: '任务和它们的执行记录、设备明细一并删除，无法恢复。' },
} as const

/** screens.md 7 "Bulk": cancelled where something runs, deleted where nothing does. */
export function TaskBatch({ kind, tasks, open, onClose }: TaskBatchProps) {
  const work = useTaskWork()
  const { word, text } = words[kind]
  return (
    <BatchModal<DeviceTask>
      word={word}
      unit="个任务"
      danger
      items={tasks}
      keyOf={({ taskID }) => taskID}
      nameOf={({ taskName }) => taskName}
      blocked={kind === 'cancel' ? whyNot.cancel : whyNot.remove}
      work={({ taskID }) => (kind === 'cancel' ? work.cancel({ taskID }) : work.remove(taskID))}
      open={open}
      onClose={onClose}
    >
      <p className="batch-text">{text}</p>
    </BatchModal>
  )
}

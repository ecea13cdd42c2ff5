import type { DeviceTask } from '@ithings/contract/features/tasks.ts'
import { StackedProgress } from '#blocks/stacked-progress.tsx'
import { progressParts } from '../task-words.ts'
import './tasks.css'

type Counted = Pick<DeviceTask, 'total' | 'success' | 'failed' | 'status'>

/** screens.md 7: a stacked bar, 成功 80 失败 3 / 100. */
export function TaskProgress({ task, label }: { task: Counted; label: string }) {
  if (task.total === 0) return <span className="no-value">—</span>
  return (
    <span className="task-progress">
      <StackedProgress parts={progressParts(task)} total={task.total} label={label} />
      <span className="task-progress-text small quiet">
        成功 <b className="tone-success">{task.success.toLocaleString()}</b>
        {task.failed > 0 && (
          <>
            {' '}
            失败 <b className="tone-error">{task.failed.toLocaleString()}</b>
          </>
        )}{' '}
        / {task.total.toLocaleString()}
      </span>
    </span>
  )
}

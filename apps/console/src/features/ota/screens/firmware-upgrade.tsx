import { retryOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import {
  cancelOtaTask,
  createOtaTask,
  type OtaTask,
  pauseOtaTask,
  resumeOtaTask,
} from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { fallbackPace } from '#api/live.ts'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { paths } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'
import { May } from '#kit/rights.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { isTaskOpen } from '../labels.ts'
import { taskColumns } from '../parts/task/task-columns.tsx'
import { filteredTasks, type TaskFilters, taskCounters, taskFields } from '../parts/task/task-filters.tsx'
import { useTaskActions } from '../parts/task/use-task-actions.tsx'
import { countOf } from '../progress.ts'
import { taskCountQuery } from '../task-queries.ts'

const TaskDetail = lazy(async () => ({ default: (await import('../parts/detail/task-detail.tsx')).TaskDetail }))
const CreateTask = lazy(async () => ({ default: (await import('../parts/create/create-task.tsx')).CreateTask }))

/** screens.md 22: the list, with a task (`taskID`), a new one (`create`) or a copy (`copy`) in the address. */
export function FirmwareUpgrade() {
  const [params, setParams] = useSearchParams()
  const taskID = Number(params.get('taskID') ?? '')
  const create = params.get('create')
  const copy = params.get('copy')
  const closeForm = () =>
    setParams((before) => {
      before.delete('create')
      before.delete('copy')
      return before
    })
  return (
    <Suspense fallback={<PageSpinner />}>
      {params.has('taskID') ? <TaskDetail key={taskID} taskID={taskID} /> : <TaskList />}
      {(create !== null || copy !== null) && (
        <May needs={createOtaTask}>
          <CreateTask
            firmwareID={create ? Number(create) : undefined}
            copyID={copy ? Number(copy) : undefined}
            onClose={closeForm}
          />
        </May>
      )}
    </Suspense>
  )
}

/** Opens a task, the form or a copy by the address. */
function useOpen() {
  const [, setParams] = useSearchParams()
  return (name: 'taskID' | 'create' | 'copy', value: number | '' = '') =>
    setParams((before) => {
      before.set(name, String(value))
      return before
    })
}

const when = (fits: boolean, action: RowAction): RowAction[] => (fits ? [action] : [])

function useRowActions() {
  const open = useOpen()
  const { retryFailed, pause, resume, cancel } = useTaskActions()
  return (task: OtaTask): RowAction[] => {
    const { taskID } = task
    const going = isTaskOpen(task)
    const paused = task.paused === 1
    const failed = countOf(task.counts, OtaStatus.failed) > 0
    return [
      { key: 'detail', label: t('查看'), onClick: () => open('taskID', taskID) },
      ...when(failed, { key: 'retry', label: t('重试失败'), needs: retryOtaDevices, onClick: () => retryFailed(task) }),
      ...when(going && !paused, {
        key: 'pause',
        label: t('暂停'),
        needs: pauseOtaTask,
        onClick: () => void pause(task),
      }),
      ...when(going && paused, {
        key: 'resume',
        label: t('继续', { context: 'resume' }),
        needs: resumeOtaTask,
        onClick: () => void resume(task),
      }),
      { key: 'copy', label: t('复制'), needs: createOtaTask, onClick: () => open('copy', taskID) },
      ...when(going, {
        key: 'cancel',
        label: t('取消'),
        needs: cancelOtaTask,
        danger: true,
        onClick: () => cancel(task),
      }),
    ]
  }
}

function TaskList() {
  const [params] = useSearchParams()
  const productID = params.get('productID') ?? undefined
  const count = useQuery({ ...taskCountQuery({ productID }), refetchInterval: fallbackPace })
  const open = useOpen()
  const actionsOf = useRowActions()
  return (
    <div className="roomy">
      <ListPage<OtaTask, TaskFilters>
        title={t('固件升级')}
        subtitle={t('把固件分阶段推送给设备，失败过多时自动停止')}
        create={{ text: t('新增升级任务'), needs: createOtaTask, onClick: () => open('create') }}
        counters={taskCounters(count.data)}
        filters={taskFields}
        columns={taskColumns}
        rowKey={({ taskID }) => String(taskID)}
        storageKey="ota-tasks"
        defaultSort="createdTime.2"
        query={(input) => ({
          ...filteredTasks(input),
          // screens.md 22: every 5 s; a list without running tasks costs as little.
          refetchInterval: fallbackPace,
        })}
        rowActions={actionsOf}
        exportName={t('升级任务')}
        empty={{
          title: t('还没有升级任务'),
          text: (
            <RichText
              text={t('先在 <0>固件包管理</0> 上传固件，再建一个任务把它推送给设备。')}
              parts={[<Link key="firmware" to={paths.firmware} />]}
            />
          ),
        }}
      />
    </div>
  )
}

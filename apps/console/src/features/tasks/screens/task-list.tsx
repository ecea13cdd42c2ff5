import { PlusOutlined } from '@ant-design/icons'
import { cancelTask, createTask, DeployStatus, type DeviceTask, deleteTask } from '@ithings/contract/features/tasks.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import { fallbackPace } from '#api/live.ts'
import { useChosenDevices } from '#blocks/chosen-devices.ts'
import { JobModal } from '#blocks/job-modal.tsx'
import { readFilters } from '#kit/list-page/filter-values.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useListState } from '#kit/list-page/use-list-state.ts'
import { May } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { copyOf, draftOf, emptyDraft } from '../draft/task-draft.ts'
import { useDetailUrl } from '../parts/detail/detail-url.ts'
import type { TaskStart } from '../parts/form/use-task-form.ts'
import { taskColumns } from '../parts/task-columns.tsx'
import { type TaskFilters, taskCounters, taskFields, taskFilterBody } from '../parts/task-filters.tsx'
import { useTaskActions } from '../parts/use-task-actions.tsx'
import { taskFactsQuery, taskQuery, tasksQuery, useTaskWork } from '../queries.ts'

// Behind their buttons: the list does not wait for them.
const TaskFormDrawer = lazy(async () => ({
  default: (await import('../parts/form/task-form-drawer.tsx')).TaskFormDrawer,
}))
const TaskDetailDrawer = lazy(async () => ({
  default: (await import('../parts/detail/task-detail-drawer.tsx')).TaskDetailDrawer,
}))
const TaskBatch = lazy(async () => ({ default: (await import('../parts/task-batch.tsx')).TaskBatch }))

/** screens.md 7: every 5 s while a row runs. */
const paceOf = (rows: readonly DeviceTask[] | undefined) =>
  rows?.some(({ status }) => status === DeployStatus.running) ? fallbackPace : 6 * fallbackPace

interface Session<T> {
  of: T
  open: boolean
  nth: number
}

/** Something that opens and closes; it keeps its content while it fades out. */
function useSession<T>(first?: T) {
  const [session, setSession] = useState<Session<T> | undefined>(first && { of: first, open: true, nth: 0 })
  return {
    session,
    show: (of: T) => setSession((before) => ({ of, open: true, nth: (before?.nth ?? 0) + 1 })),
    close: () => setSession((before) => before && { ...before, open: false }),
  }
}

/** screens.md 7. */
export function TaskList() {
  const { message } = App.useApp()
  const client = useQueryClient()
  const work = useTaskWork()
  const url = useDetailUrl()
  const [seen, setSeen] = useState(url.taskID)
  if (url.taskID !== undefined && url.taskID !== seen) setSeen(url.taskID)
  const chosen = useChosenDevices()
  const form = useSession<TaskStart>(chosen && { title: '新增任务', draft: { ...emptyDraft, ...chosen } })
  const batch = useSession<{ kind: 'cancel' | 'delete'; tasks: readonly DeviceTask[]; clear: () => void }>()
  const file = useSession<string>()
  const [{ filters: texts }] = useListState(taskFields, '', undefined)
  const filters = useMemo(() => readFilters(taskFields, texts) as TaskFilters, [texts])
  const { status: _status, ...others } = filters
  const counts = useQuery({ ...taskFactsQuery(taskFilterBody(others)), refetchInterval: fallbackPace })

  const orTell = (what: string, job: Promise<unknown>) =>
    void job.catch((error: unknown) => message.error(`${what}失败：${describeError(error).reason}`))
  const startFrom = async (task: DeviceTask, kind: 'edit' | 'copy') => {
    const detail = await client.fetchQuery({ ...taskQuery(task.taskID), staleTime: 0 })
    if (kind === 'copy') form.show({ title: '复制任务', draft: copyOf(detail, Date.now()) })
    else {
      const { taskID, rev } = detail
      form.show({ title: '编辑任务', draft: draftOf(detail), edited: { taskID, rev } })
    }
  }
  const { actionsOf } = useTaskActions({
    open: url.open,
    edit: (task) => orTell('读取任务', startFrom(task, 'edit')),
    copy: (task) => orTell('读取任务', startFrom(task, 'copy')),
    removed: url.close,
  })
  const exportResult = async (taskID: number, runID: string) =>
    file.show((await work.exportResult({ taskID, runID })).jobID)
  const { open } = url
  const columns = useMemo(() => taskColumns(({ taskID }) => open(taskID)), [open])

  const create = (
    <May needs={createTask}>
      <Button
        type="primary"
        icon={<PlusOutlined />}
        onClick={() => form.show({ title: '新增任务', draft: emptyDraft })}
      >
        新增任务
      </Button>
    </May>
  )
  return (
    <>
      <ListPage<DeviceTask, TaskFilters>
        title="任务"
        subtitle="把属性、行为或配置批量下发给设备，跟踪每台的结果"
        extra={create}
        counters={taskCounters(counts.data)}
        filters={taskFields}
        columns={columns}
        rowKey={({ taskID }) => String(taskID)}
        storageKey="tasks"
        exportName="设备任务"
        defaultSort="createdTime.2"
        query={({ page, filters: wanted }) => ({
          ...tasksQuery({ page, ...taskFilterBody(wanted) }),
          refetchInterval: ({ state }: { state: { data?: { list: DeviceTask[] } | undefined } }) =>
            paceOf(state.data?.list),
        })}
        rowActions={actionsOf}
        selection={{
          unit: '个任务',
          needs: [cancelTask, deleteTask],
          actions: (tasks, clear) => (
            <>
              <May needs={cancelTask}>
                <Button type="text" onClick={() => batch.show({ kind: 'cancel', tasks, clear })}>
                  取消任务
                </Button>
              </May>
              <May needs={deleteTask}>
                <Button type="text" onClick={() => batch.show({ kind: 'delete', tasks, clear })}>
                  删除
                </Button>
              </May>
            </>
          ),
        }}
        empty={{
          title: '还没有任务',
          text: '任务把一组属性、一个行为或一份配置下发给许多设备，立即、定时或按周期执行，并记下每台设备的结果。',
          action: create,
        }}
      />
      <Suspense fallback={null}>
        {seen !== undefined && (
          <TaskDetailDrawer
            key={`detail-${seen}`}
            taskID={seen}
            url={url}
            open={url.taskID !== undefined}
            onClose={url.close}
            actionsOf={actionsOf}
            onExport={({ taskID }, runID) => orTell('导出', exportResult(taskID, runID))}
          />
        )}
        {form.session && (
          <TaskFormDrawer
            key={`form-${form.session.nth}`}
            start={form.session.of}
            open={form.session.open}
            onClose={form.close}
            onSaved={(taskID) => {
              void message.success(form.session?.of.edited ? '更新成功' : '创建成功')
              form.close()
              url.open(taskID)
            }}
          />
        )}
        {batch.session && (
          <TaskBatch
            key={`batch-${batch.session.nth}`}
            kind={batch.session.of.kind}
            tasks={batch.session.of.tasks}
            open={batch.session.open}
            onClose={(ran) => {
              batch.close()
              if (ran) batch.session?.of.clear()
            }}
          />
        )}
        {file.session && (
          <JobModal
            key={`job-${file.session.nth}`}
            title="导出任务结果"
            jobID={file.session.of}
            open={file.session.open}
            onClose={file.close}
          />
        )}
      </Suspense>
    </>
  )
}

import { exportTask } from '@ithings/contract/features/task-results.ts'
import { cancelTask, createTask, DeployStatus, type DeviceTask, deleteTask } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { call } from '#api/call.ts'
import { fallbackPace } from '#api/live.ts'
import { useChosenDevices } from '#blocks/chosen-devices.ts'
import { JobModal } from '#blocks/job-modal.tsx'
import { useActs } from '#blocks/rollout/use-acts.ts'
import { BatchModal } from '#kit/batch-modal.tsx'
import { readFilters } from '#kit/list-page/filter-values.ts'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useListState } from '#kit/list-page/use-list-state.ts'
import { ActButton } from '#kit/rights.tsx'
import { useMemo } from '#language/use-memo.ts'
import { copyOf, draftOf, emptyDraft } from '../draft/task-draft.ts'
import { useDetailUrl } from '../parts/detail/detail-url.ts'
import type { TaskStart } from '../parts/form/use-task-form.ts'
import { taskColumns } from '../parts/task-columns.tsx'
import { type TaskFilters, taskCounters, taskFields, taskFilterBody } from '../parts/task-filters.tsx'
import { useTaskActions } from '../parts/use-task-actions.ts'
import { taskFactsQuery, taskQuery, tasksQuery, useTaskRemoval, useTaskSend } from '../queries.ts'
import { cancelText, whyNot } from '../task-words.ts'

// Behind their buttons: the list does not wait for them.
const TaskFormDrawer = lazy(async () => ({
  default: (await import('../parts/form/task-form-drawer.tsx')).TaskFormDrawer,
}))
const TaskDetailDrawer = lazy(async () => ({
  default: (await import('../parts/detail/task-detail-drawer.tsx')).TaskDetailDrawer,
}))

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

interface Batch {
  kind: 'cancel' | 'delete'
  tasks: readonly DeviceTask[]
  clear: () => void
}
const batchWords = {
  cancel: { word: '取消', text: cancelText, blocked: whyNot.cancel },
  delete: { word: '删除', text: '任务和它们的执行记录、设备明细一并删除，无法恢复。', blocked: whyNot.remove },
} as const

/** screens.md 7 "Bulk": cancelled where something runs, deleted where nothing does. */
function TaskBatch({ of: { kind, tasks, clear }, open, onClose }: { of: Batch; open: boolean; onClose: () => void }) {
  const send = useTaskSend()
  const removal = useTaskRemoval()
  const { text, word, blocked } = batchWords[kind]
  const words = { word: t(word), blocked }
  return (
    <BatchModal<DeviceTask>
      {...words}
      unit={(count) => t('个任务', { count })}
      danger
      items={tasks}
      keyOf={({ taskID }) => taskID}
      nameOf={({ taskName }) => taskName}
      work={({ taskID }) => (kind === 'cancel' ? send(cancelTask, { taskID }) : removal(deleteTask, { taskID }))}
      open={open}
      onClose={(ran) => {
        onClose()
        if (ran) clear()
      }}
    >
      <p className="below-8 bare softer">{t(text)}</p>
    </BatchModal>
  )
}

interface TasksProps {
  actionsOf: (task: DeviceTask) => RowAction[]
  onOpen: (taskID: number) => void
  onCreate: () => void
  onBatch: (batch: Batch) => void
}

function Tasks({ actionsOf, onOpen, onCreate, onBatch }: TasksProps) {
  const [{ filters: texts }] = useListState(taskFields, '', undefined)
  const filters = useMemo(() => readFilters(taskFields, texts) as TaskFilters, [texts])
  const { status: _status, ...others } = filters
  const counts = useQuery({ ...taskFactsQuery(taskFilterBody(others)), refetchInterval: fallbackPace })
  const columns = useMemo(() => taskColumns(({ taskID }) => onOpen(taskID)), [onOpen])
  return (
    <ListPage<DeviceTask, TaskFilters>
      title={t('任务', { context: 'list' })}
      subtitle={t('把属性、行为或配置批量下发给设备，跟踪每台的结果')}
      create={{ text: t('新增任务'), needs: createTask, onClick: onCreate }}
      counters={taskCounters(counts.data)}
      filters={taskFields}
      columns={columns}
      rowKey={({ taskID }) => String(taskID)}
      storageKey="tasks"
      exportName={t('设备任务')}
      defaultSort="createdTime.2"
      query={({ page, filters: wanted }) => ({
        ...tasksQuery({ page, ...taskFilterBody(wanted) }),
        refetchInterval: ({ state }: { state: { data?: { list: DeviceTask[] } | undefined } }) =>
          paceOf(state.data?.list),
      })}
      rowActions={actionsOf}
      selection={{
        unit: t('个任务'),
        needs: [cancelTask, deleteTask],
        actions: (tasks, clear) => (
          <>
            <ActButton needs={cancelTask} type="text" onClick={() => onBatch({ kind: 'cancel', tasks, clear })}>
              {t('取消任务')}
            </ActButton>
            <ActButton needs={deleteTask} type="text" onClick={() => onBatch({ kind: 'delete', tasks, clear })}>
              {t('删除')}
            </ActButton>
          </>
        ),
      }}
      empty={{
        title: t('还没有任务'),
        text: t('任务把一组属性、一个行为或一份配置下发给许多设备，立即、定时或按周期执行，并记下每台设备的结果。'),
      }}
    />
  )
}

/** screens.md 7: the list, and over it a task, its form, a batch or an export. */
export function TaskList() {
  const { message } = App.useApp()
  const { orTell } = useActs()
  const client = useQueryClient()
  const url = useDetailUrl()
  const [seen, setSeen] = useState(url.taskID)
  if (url.taskID !== undefined && url.taskID !== seen) setSeen(url.taskID)
  const chosen = useChosenDevices()
  const form = useSession<TaskStart>(chosen && { title: t('新增任务'), draft: { ...emptyDraft, ...chosen } })
  const batch = useSession<Batch>()
  const file = useSession<string>()

  const startFrom = (task: DeviceTask, begin: (detail: Parameters<typeof draftOf>[0]) => TaskStart) => {
    const read = client.fetchQuery({ ...taskQuery(task.taskID), staleTime: 0 })
    void orTell(
      t('读取任务'),
      read.then((detail) => form.show(begin(detail))),
    )
  }
  const actionsOf = useTaskActions({
    open: url.open,
    edit: (task) =>
      startFrom(task, (detail) => {
        const { taskID, rev } = detail
        return { title: t('编辑任务'), draft: draftOf(detail), edited: { taskID, rev } }
      }),
    copy: (task) => startFrom(task, (detail) => ({ title: t('复制任务'), draft: copyOf(detail, Date.now()) })),
    removed: url.close,
  })
  const exportResult = async (taskID: number, runID: string) =>
    file.show((await call(exportTask, { taskID, runID }, { quiet: true })).jobID)
  return (
    <>
      <Tasks
        actionsOf={actionsOf}
        onOpen={url.open}
        onCreate={() => form.show({ title: t('新增任务'), draft: emptyDraft })}
        onBatch={batch.show}
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
            onExport={({ taskID }, runID) => void orTell(t('导出'), exportResult(taskID, runID))}
          />
        )}
        {form.session && (
          <TaskFormDrawer
            key={`form-${form.session.nth}`}
            start={form.session.of}
            open={form.session.open}
            onClose={form.close}
            onSaved={(taskID) => {
              void message.success(form.session?.of.edited ? t('更新成功') : t('创建成功'))
              form.close()
              url.open(taskID)
            }}
          />
        )}
        {batch.session && <TaskBatch key={`batch-${batch.session.nth}`} {...batch.session} onClose={batch.close} />}
        {file.session && (
          <JobModal
            key={`job-${file.session.nth}`}
            title={t('导出任务结果')}
            jobID={file.session.of}
            open={file.session.open}
            onClose={file.close}
          />
        )}
      </Suspense>
    </>
  )
}

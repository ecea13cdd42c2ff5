import { EllipsisOutlined } from '@ant-design/icons'
import { errors } from '@ithings/contract/errors.ts'
import { exportTask, type TaskRun } from '@ithings/contract/features/task-results.ts'
import { taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Skeleton, Tabs, Tooltip } from 'antd'
import { useLivePolling } from '#api/live.ts'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { useHeld } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { Loaded } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import type { TaskDetail } from '../../draft/task-draft.ts'
import { deployLooks } from '../../labels.ts'
import { taskQuery, taskRunsQuery, useTaskLive } from '../../queries.ts'
import { runOf, statusNote } from '../../task-words.ts'
import { ConfigTab } from './config-tab.tsx'
import './detail.css'
import type { DetailTab, useDetailUrl } from './detail-url.ts'
import { DevicesTab } from './devices-tab.tsx'
import { RunBand } from './run-band.tsx'
import { RunsTab } from './runs-tab.tsx'

interface TaskDetailDrawerProps extends Opened {
  taskID: number
  url: ReturnType<typeof useDetailUrl>
  actionsOf: (task: TaskDetail, run: TaskRun | undefined) => RowAction[]
  onExport: (task: TaskDetail, runID: string) => void
}

/** As many runs as the selector offers; older ones are in 执行记录. */
const offeredRuns = 50
const firstRuns = { page: 1, size: offeredRuns }
const inHeader = ['retry', 'cancel', 'run']
/** What is about the devices of one run. */
const ofRun = ['retry', 'cancel']

function Actions({ actions }: { actions: readonly RowAction[] }) {
  const phone = usePhone()
  const held = useHeld()(actions)
  const shown = phone ? [] : held.filter(({ key }) => inHeader.includes(key))
  const more = held.filter((action) => !shown.includes(action) && action.key !== 'open')
  return (
    <span className="touch inline-row gap-8">
      {shown.map(({ key, label, onClick, disabled, hint }) => (
        <Tooltip key={key} title={hint}>
          <Button disabled={disabled} onClick={onClick}>
            {label}
          </Button>
        </Tooltip>
      ))}
      {more.length > 0 && (
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{
            items: more.map(({ key, label, onClick, disabled = false, hint }) => ({
              key,
              label: hint ? <Tooltip title={hint}>{label}</Tooltip> : label,
              disabled,
              onClick,
            })),
          }}
        >
          <Button icon={<EllipsisOutlined />} aria-label={t('更多操作')} />
        </Dropdown>
      )}
    </span>
  )
}

const BandSkeleton = () => (
  <div className="run-band pad-12-16 boxed row wrap below-4" style={{ minHeight: 98 }}>
    <Skeleton active title={false} paragraph={{ rows: 2 }} />
  </div>
)

function Detail({ task, url }: { task: TaskDetail; url: TaskDetailDrawerProps['url'] }) {
  const refetchInterval = useLivePolling()
  const runs = useQuery({ ...taskRunsQuery({ taskID: task.taskID, page: firstRuns }), refetchInterval })
  const list = runs.data?.list ?? []
  const run = runOf(list, task, url.runID)
  const band = () => {
    if (runs.isPending && task.lastRunID !== '') return <BandSkeleton />
    const older = url.runID !== '' && runs.data !== undefined && !run
    if (!older) return <RunBand task={task} runs={list} count={runs.data?.total ?? 0} run={run} onRun={url.showRun} />
    return (
      <div className="run-band pad-12-16 boxed row wrap run-band-none">
        {t('批次 {runID}', { runID: url.runID })}
        <Button type="link" size="small" onClick={() => url.showRun('')}>
          {t('查看最近一次')}
        </Button>
      </div>
    )
  }
  const devices = <DevicesTab key={url.runID} taskID={task.taskID} runID={url.runID} productID={task.productID} />
  return (
    <>
      {band()}
      <Tabs
        activeKey={url.tab}
        onChange={(tab) => url.showTab(tab as DetailTab)}
        destroyOnHidden
        items={[
          { key: 'devices', label: t('设备明细'), children: devices },
          { key: 'runs', label: t('执行记录'), children: <RunsTab taskID={task.taskID} onRun={url.showRun} /> },
          { key: 'config', label: t('任务配置'), children: <ConfigTab task={task} /> },
        ]}
      />
    </>
  )
}

function Title({ task }: { task: TaskDetail }) {
  const phone = usePhone()
  const note = statusNote(task)
  return (
    <span className="detail-title row shrink gap-8">
      <span className="detail-name cut" title={task.taskName}>
        {task.taskName}
      </span>
      <StatusTag filled text={labelOf(taskTypeLabels, task.taskType)} tone="default" />
      <StatusTag filled looks={deployLooks} value={task.status} />
      {note && !phone && <span className="meta cut">{note}</span>}
    </span>
  )
}

/** screens.md 7.2. */
export function TaskDetailDrawer({ taskID, url, open, onClose, actionsOf, onExport }: TaskDetailDrawerProps) {
  useTaskLive(taskID)
  const refetchInterval = useLivePolling()
  const task = useQuery({ ...taskQuery(taskID), refetchInterval, enabled: open })
  const isGone = task.isError && describeError(task.error).code === errors.notFound.code
  const data = isGone ? undefined : task.data
  const chosen = url.runID !== ''
  const runs = useQuery({ ...taskRunsQuery({ taskID, page: firstRuns }), enabled: open && chosen })
  const run = chosen ? runs.data?.list.find(({ runID }) => runID === url.runID) : undefined
  const actionsFor = (one: TaskDetail): RowAction[] => [
    // Of a run too old to be known here, its rows say what can be done.
    ...actionsOf(one, run).filter(({ key }) => !chosen || run !== undefined || !ofRun.includes(key)),
    {
      key: 'export',
      label: t('导出结果'),
      needs: exportTask,
      onClick: () => onExport(one, url.runID),
      ...(one.lastRunID === '' && { disabled: true, hint: t('还没有执行') }),
    },
  ]
  return (
    <SideDrawer
      title={data ? <Title task={data} /> : t('任务详情', { context: 'task' })}
      extra={data && <Actions actions={actionsFor(data)} />}
      open={open}
      onClose={onClose}
      width={1040}
      keep
      className="device-task"
    >
      {isGone ? (
        <StateBlock
          variant="no-match"
          title={t('这个任务不存在')}
          text={t('它可能已经被删除，或者地址不完整。')}
          action={<Button onClick={onClose}>{t('返回任务列表')}</Button>}
        />
      ) : (
        <>
          {task.isPending && <BandSkeleton />}
          <Loaded query={task} subject={t('任务')}>
            {(one) => <Detail task={one} url={url} />}
          </Loaded>
        </>
      )}
    </SideDrawer>
  )
}

import { errors } from '@ithings/contract/errors.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useSearchParams } from 'react-router'
import { useLivePolling } from '#api/live.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StaleBanner } from '#kit/states/stale-banner.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { isTaskOpen } from '../../labels.ts'
import { taskQuery, useTaskLive } from '../../task-queries.ts'
import { AwayBanner, HaltBanner } from './banners.tsx'
import './detail.css'
import { tablePrefix, useDetailFilter } from './detail-filter.ts'
import { DeviceTable } from './device-table.tsx'
import './figures.css'
import { Funnel } from './funnel.tsx'
import { HaltCard } from './halt-gauge.tsx'
import { Reasons } from './reasons.tsx'
import { StageStrip } from './stage-strip.tsx'
import { TaskHeader } from './task-header.tsx'

/** Back to the list as it was: its own filters are still in the address. */
function useBack() {
  const [, setParams] = useSearchParams()
  return () =>
    setParams((before) => {
      for (const name of [...before.keys()]) if (name === 'taskID' || name.startsWith(tablePrefix)) before.delete(name)
      return before
    })
}

/** Cards of the size of what follows: nothing jumps. */
function DetailSkeleton() {
  return (
    <div className="task-detail column gap-12" aria-busy="true">
      <Skeleton active title paragraph={{ rows: 1 }} />
      <div className="sheet pad-16" style={{ minHeight: 84 }} />
      <div className="detail-columns top gap-12 stack">
        <div className="sheet pad-16" style={{ minHeight: 220 }} />
        <div className="sheet pad-16" style={{ minHeight: 220 }} />
        <div className="sheet pad-16" style={{ minHeight: 300 }}>
          <Skeleton active title={false} paragraph={{ rows: 6 }} />
        </div>
        <div className="sheet pad-16" style={{ minHeight: 300 }} />
      </div>
    </div>
  )
}

/** screens.md 22. */
export function TaskDetail({ taskID }: { taskID: number }) {
  const back = useBack()
  const [filter, setFilter] = useDetailFilter()
  const pace = useLivePolling()
  const possible = Number.isSafeInteger(taskID) && taskID > 0
  const {
    data: task,
    error,
    isFetching,
    isRefetchError,
    dataUpdatedAt,
    refetch,
  } = useQuery({
    ...taskQuery(taskID),
    enabled: possible,
    // screens.md 22: it rests when the task is over.
    refetchInterval: ({ state }) => (state.data && !isTaskOpen(state.data) ? false : pace),
  })
  useTaskLive(task?.taskUid)

  if (!possible || (error && describeError(error).code === errors.notFound.code)) {
    return (
      <StateBlock
        variant="no-match"
        title={t('这个升级任务不存在')}
        text={t('它可能已经被删除，或者地址不完整。')}
        action={<Button onClick={back}>{t('返回任务列表')}</Button>}
      />
    )
  }
  if (!task) {
    if (!error) return <DetailSkeleton />
    return <ErrorState subject={t('升级任务')} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  const refetchInterval = isTaskOpen(task) ? pace : false
  return (
    <div className="task-detail column gap-12">
      <TaskHeader task={task} filter={filter} onBack={back} />
      {isRefetchError && (
        <StaleBanner error={error} updatedAt={dataUpdatedAt} retrying={isFetching} onRetry={() => void refetch()} />
      )}
      <HaltBanner task={task} />
      <AwayBanner task={task} />
      <StageStrip task={task} />
      <div className="detail-columns top gap-12 stack">
        <Funnel task={task} filter={filter} onFilter={setFilter} />
        <HaltCard task={task} />
        <div>
          <DeviceTable task={task} filter={filter} onFilter={setFilter} refetchInterval={refetchInterval} />
        </div>
        <Reasons
          task={task}
          refetchInterval={refetchInterval}
          reason={filter.reason}
          onPick={(reason) => setFilter({ reason, status: reason ? OtaStatus.failed : undefined })}
        />
      </div>
    </div>
  )
}

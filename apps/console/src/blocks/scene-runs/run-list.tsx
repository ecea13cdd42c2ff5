import { useInfiniteQuery } from '@tanstack/react-query'
import { Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import { MessageTrace } from '#blocks/message-trace/message-trace.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { LoadMore } from '#kit/states/load-more.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { RunEntry } from './run-entry.tsx'
import { runPagesQuery, useRunsLive } from './runs-query.ts'
import './scene-runs.css'

type Fired = 'all' | 'yes' | 'no'
const choices: { value: Fired; label: string }[] = [
  { value: 'all', label: '全部' },
  { value: 'yes', label: '已触发' },
  { value: 'no', label: '未触发' },
]
const wireFired: Record<Fired, 1 | 2 | undefined> = { all: undefined, yes: 1, no: 2 }
const emptyTexts: Record<Fired, string> = {
  all: '触发条件成立、定时到点或手动执行之后，这里会有每一次的过程。',
  yes: '最近没有触发过。切换到“未触发”可以看到为什么。',
  no: '最近没有条件接近成立却未触发的情况。',
}
const pageSize = 20

/** Message traces open over whatever shows runs. */
export function useTrace() {
  const [traced, setTraced] = useState<string>()
  const [open, setOpen] = useState(false)
  const show = (tranceID: string) => {
    setTraced(tranceID)
    setOpen(true)
  }
  const drawer = (
    <MessageTrace tranceID={traced} open={open} onClose={() => setOpen(false)} onShow={(row) => show(row.tranceID)} />
  )
  return { show, drawer }
}

/** Runs of one scene: those that fired, and near misses with the reason. */
export function RunList({ sceneID }: { sceneID: number }) {
  const [fired, setFired] = useState<Fired>('all')
  const refetchInterval = useRunsLive()
  const wire = wireFired[fired]
  const runs = useInfiniteQuery({
    ...runPagesQuery({ sceneID, ...(wire && { fired: wire }) }, pageSize),
    refetchInterval,
  })
  const trace = useTrace()
  const rows = runs.data?.pages.flatMap((page) => page.list)
  const total = runs.data?.pages[0]?.total ?? 0
  return (
    <div className="run-list">
      <div className="run-list-head row between gap-12">
        <Segmented<Fired> aria-label="是否触发" options={choices} value={fired} onChange={setFired} />
        {rows && <span className="meta">共 {total.toLocaleString()} 次</span>}
      </div>
      {runs.error && !rows && (
        <ErrorState
          subject="执行记录"
          error={runs.error}
          retrying={runs.isFetching}
          onRetry={() => void runs.refetch()}
        />
      )}
      {runs.isPending && <Skeleton active paragraph={{ rows: 8 }} title={false} />}
      {rows?.length === 0 && <StateBlock variant="empty" title="没有执行记录" text={emptyTexts[fired]} />}
      {rows && rows.length > 0 && (
        <ul className="bare-list">
          {rows.map((run) => (
            <RunEntry key={run.runID} run={run} onTrace={trace.show} />
          ))}
        </ul>
      )}
      {rows && rows.length > 0 && (
        <LoadMore
          hasMore={runs.hasNextPage}
          loading={runs.isFetchingNextPage}
          failed={runs.isFetchNextPageError}
          onMore={() => void runs.fetchNextPage()}
        />
      )}
      {trace.drawer}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { ErrorState } from '#kit/states/error-state.tsx'
import { RunEntry } from './run-entry.tsx'
import { useTrace } from './run-list.tsx'
import { latestRunsQuery, useRunsLive } from './runs-query.ts'
import './scene-runs.css'

/** screens.md 11: the last 20 in the editor. */
const shownRuns = 20

interface RunsPaneProps {
  sceneID: number
  /** Opens the drawer with all of them. */
  onAll?: () => void
}

/** The latest runs of one scene in a narrow place, without a heading of its own. */
export function RunsPane({ sceneID, onAll }: RunsPaneProps) {
  const refetchInterval = useRunsLive()
  const { data, error, isFetching, refetch } = useQuery({
    ...latestRunsQuery(sceneID, shownRuns),
    refetchInterval,
  })
  const trace = useTrace()
  if (error && !data) {
    return <ErrorState compact subject="执行记录" error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton active paragraph={{ rows: 4 }} title={false} />
  if (data.list.length === 0)
    return <p className="meta">还没有执行记录。保存并启用之后，每次触发的过程都会记在这里。</p>
  return (
    <div className="run-list run-list-compact">
      <ul className="bare-list">
        {data.list.map((run) => (
          <RunEntry key={run.runID} run={run} onTrace={trace.show} />
        ))}
      </ul>
      {onAll && data.total > data.list.length && (
        <Button type="link" size="small" onClick={onAll}>
          全部 {data.total.toLocaleString()} 次
        </Button>
      )}
      {trace.drawer}
    </div>
  )
}

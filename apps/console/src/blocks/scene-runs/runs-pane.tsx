import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useTrace } from '#blocks/message-trace/use-trace.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { RunEntry } from './run-detail.tsx'
import { runsPage, useRunsLive } from './runs.tsx'

/** screens.md 11: the last 20 in the editor; `onAll` opens the drawer with all of them. */
export function RunsPane({ sceneID, onAll }: { sceneID: number; onAll: () => void }) {
  const refetchInterval = useRunsLive()
  const latest = endpointQuery(listSceneLogs, { sceneID, page: { page: 1, size: runsPage } }, { quiet: true })
  const runs = useQuery({ ...latest, refetchInterval })
  const trace = useTrace()
  const { data } = runs
  if (runs.error && !data) return <QueryError compact subject={t('执行记录')} query={runs} />
  if (!data) return <Skeleton active paragraph={{ rows: 4 }} title={false} />
  if (data.list.length === 0)
    return <p className="meta">{t('还没有执行记录。保存并启用之后，每次触发的过程都会记在这里。')}</p>
  return (
    <div className="run-list-narrow run-list-anonymous">
      <ul className="bare-list">
        {data.list.map((run) => (
          <RunEntry key={run.runID} run={run} onTrace={trace.show} />
        ))}
      </ul>
      {data.total > data.list.length && (
        <Button type="link" size="small" onClick={onAll}>
          {t('全部 {count, number} 次', { count: data.total })}
        </Button>
      )}
      {trace.drawer}
    </div>
  )
}

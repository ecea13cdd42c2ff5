/** All runs of a scene in a drawer. */

import { listSceneLogs, scenesTopic } from '@ithings/contract/features/scenes/log.ts'
import { t } from '@ithings/contract/text.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Drawer, Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { type LiveQueries, useLive, useLivePolling } from '#api/live.ts'
import { useTrace } from '#blocks/message-trace/use-trace.tsx'
import { LoadMore } from '#kit/states/load-more.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { translated } from '../translated.ts'
import { RunEntry } from './run-detail.tsx'
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
export const runsPage = 20

const liveQueries: LiveQueries = { log: [[listSceneLogs.path]] }

/**
 * Runs appear and end by themselves.
 * @returns how often to ask without being told
 */
export function useRunsLive(): number {
  useLive(scenesTopic, liveQueries)
  return useLivePolling()
}

/** Those that fired, and near misses with the reason; the newest first, more on scrolling. */
function RunList({ sceneID }: { sceneID: number }) {
  const phone = usePhone()
  const [fired, setFired] = useState<Fired>('all')
  const refetchInterval = useRunsLive()
  const wire = wireFired[fired]
  const wanted = { sceneID, ...(wire && { fired: wire }) }
  const runs = useInfiniteQuery({
    queryKey: [listSceneLogs.path, wanted, runsPage],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(listSceneLogs, { ...wanted, page: { page: pageParam, size: runsPage } }, { quiet: true, signal }),
    getNextPageParam: (last, pages) =>
      last.list.length > 0 && pages.length * runsPage < last.total ? pages.length + 1 : undefined,
    refetchInterval,
  })
  const trace = useTrace()
  const rows = runs.data?.pages.flatMap((page) => page.list)
  const total = runs.data?.pages[0]?.total ?? 0
  return (
    <div className={phone ? 'run-list-narrow' : ''}>
      <div className="below-12 row between gap-12">
        <Segmented<Fired> aria-label={t('是否触发')} options={translated(choices)} value={fired} onChange={setFired} />
        {rows && <span className="meta">{t('共 {count, number} 次', { count: total })}</span>}
      </div>
      {runs.error && !rows && <QueryError subject={t('执行记录')} query={runs} />}
      {runs.isPending && <Skeleton active paragraph={{ rows: 8 }} title={false} />}
      {rows?.length === 0 && <StateBlock variant="empty" title={t('没有执行记录')} text={t(emptyTexts[fired])} />}
      {rows && rows.length > 0 && (
        <>
          <ul className="bare-list">
            {rows.map((run) => (
              <RunEntry key={run.runID} run={run} onTrace={trace.show} />
            ))}
          </ul>
          <LoadMore
            hasMore={runs.hasNextPage}
            loading={runs.isFetchingNextPage}
            failed={runs.isFetchNextPageError}
            onMore={() => void runs.fetchNextPage()}
          />
        </>
      )}
      {trace.drawer}
    </div>
  )
}

interface RunsDrawerProps extends Opened {
  /** Stays while the drawer closes. */
  scene: { id: number; name: string } | undefined
}

/** 日志 of a scene beside its list or editor. */
export function RunsDrawer({ scene, ...opened }: RunsDrawerProps) {
  const phone = usePhone()
  return (
    <Drawer
      {...opened}
      title={scene ? t('执行记录 · {name}', { name: scene.name }) : t('执行记录')}
      size={phone ? '100%' : 720}
      closable={{ placement: 'end' }}
    >
      {scene && <RunList key={scene.id} sceneID={scene.id} />}
    </Drawer>
  )
}

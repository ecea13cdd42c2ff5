import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { ErrorState } from '#kit/states/error-state.tsx'
import { LoadMore } from '#kit/states/load-more.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'

interface LogFeedProps<T> {
  subject: string
  empty: string
  query: UseInfiniteQueryResult<InfiniteData<{ list: T[]; total: number }>>
  keyOf: (row: T) => string
  row: (row: T) => ReactNode
}

/** A growing list of log rows with all of its states. */
export function LogFeed<T>({ subject, empty, query, keyOf, row }: LogFeedProps<T>) {
  const { data, error, isPending, isFetching, isFetchingNextPage, isFetchNextPageError, hasNextPage } = query
  if (isPending) return <Skeleton active paragraph={{ rows: 6 }} title={false} />
  if (!data) {
    return (
      <ErrorState subject={subject} error={error} retrying={isFetching} onRetry={() => void query.refetch()} compact />
    )
  }
  const rows = data.pages.flatMap((page) => page.list)
  if (rows.length === 0) return <StateBlock variant="empty" title={empty} compact />
  return (
    <>
      <ul className="log-feed bare-list">
        {rows.map((one) => (
          <li key={keyOf(one)}>{row(one)}</li>
        ))}
      </ul>
      <LoadMore
        hasMore={hasNextPage}
        loading={isFetchingNextPage}
        failed={isFetchNextPageError}
        onMore={() => void query.fetchNextPage()}
        endText={`共 ${(data.pages[0]?.total ?? rows.length).toLocaleString()} 条`}
      />
    </>
  )
}

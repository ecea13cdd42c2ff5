import type { UseQueryResult } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { StaleBanner } from './stale-banner.tsx'

interface Read<T> extends Pick<UseQueryResult, 'error' | 'isFetching'> {
  data: T | undefined
  refetch: () => unknown
}

interface QueryErrorProps {
  /** What could not be shown: the title of the page or card. */
  subject: string
  query: Omit<Read<unknown>, 'data'>
  compact?: boolean
}

/** A query that failed, with the way to ask again. */
export const QueryError = ({ subject, query, compact = false }: QueryErrorProps) => (
  <ErrorState
    subject={subject}
    error={query.error}
    retrying={query.isFetching}
    onRetry={() => void query.refetch()}
    compact={compact}
  />
)

interface LoadedProps<T> {
  query: Read<T>
  /** As in `QueryError`. */
  subject: string
  /** Lines of the grey picture that stands there until then. */
  rows?: number
  compact?: boolean
  children: (data: T) => ReactNode
}

/** What was read, or why it could not be. What was read once stays while it is read again. */
export function Loaded<T>({ query, subject, rows = 8, compact = false, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (!query.error) return <Skeleton active title={!compact} paragraph={{ rows }} />
  return <QueryError subject={subject} query={query} compact={compact} />
}

/** Says that reading again failed and from when that is what is shown. */
export function Stale({ query }: { query: Read<unknown> & { dataUpdatedAt: number } }) {
  const { data, error, isFetching, refetch, dataUpdatedAt } = query
  if (!error || data === undefined) return null
  return <StaleBanner error={error} updatedAt={dataUpdatedAt} retrying={isFetching} onRetry={() => void refetch()} />
}

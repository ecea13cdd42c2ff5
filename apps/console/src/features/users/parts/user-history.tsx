import { t } from '@ithings/contract/text.ts'
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { BusinessTypeTag } from '#blocks/business-type.tsx'
import { LoadMore } from '#kit/states/load-more.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { recentOperationsQuery, signInHistoryQuery } from '../queries.ts'

interface LogFeedProps<T> {
  subject: string
  empty: string
  query: UseInfiniteQueryResult<InfiniteData<{ list: T[]; total: number }>>
  keyOf: (row: T) => string
  row: (row: T) => ReactNode
}

/** A growing list of log rows with all of its states. */
function LogFeed<T>({ subject, empty, query, keyOf, row }: LogFeedProps<T>) {
  const { data, isPending, isFetchingNextPage, isFetchNextPageError, hasNextPage } = query
  if (isPending) return <Skeleton active paragraph={{ rows: 6 }} title={false} />
  if (!data) return <QueryError subject={subject} query={query} compact />
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
        endText={t('共 {count, number} 条', { count: data.pages[0]?.total ?? rows.length })}
      />
    </>
  )
}

const succeeded = '200'

export function SignInHistory({ userID }: { userID: string }) {
  const query = useInfiniteQuery(signInHistoryQuery(userID))
  return (
    <LogFeed
      subject={t('登录记录')}
      empty={t('还没有登录记录')}
      query={query}
      keyOf={(log) => log.id}
      row={(log) => (
        <>
          <span className="log-head row wrap">
            {log.code === succeeded ? (
              <StatusTag text={t('登录成功')} tone="success" />
            ) : (
              <StatusTag text={log.msg || t('登录失败')} tone="error" />
            )}
            <TimeText value={log.createdTime} mode="exact" />
          </span>
          <span className="log-line row wrap meta">
            <span className="mono">{log.ipAddr}</span>
            {[log.loginLocation, log.browser, log.os].filter(Boolean).join(' · ')}
          </span>
        </>
      )}
    />
  )
}

export function RecentOperations({ userID }: { userID: string }) {
  const query = useInfiniteQuery(recentOperationsQuery(userID))
  return (
    <LogFeed
      subject={t('操作记录')}
      empty={t('还没有操作记录')}
      query={query}
      keyOf={(log) => log.id}
      row={(log) => (
        <>
          <span className="log-head row wrap">
            <span className="log-name">{log.operName}</span>
            <BusinessTypeTag value={log.businessType} />
            <TimeText value={log.createdTime} mode="exact" />
          </span>
          <span className="log-line row wrap meta">
            {log.code === succeeded ? (
              <StatusTag text={t('成功')} tone="success" />
            ) : (
              <StatusTag text={log.msg || t('失败')} tone="error" />
            )}
            <span className="mono">{log.uri}</span>
            <span className="mono">{log.operIpAddr}</span>
          </span>
        </>
      )}
    />
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { BusinessTypeTag } from '#blocks/business-type.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { recentOperationsQuery, signInHistoryQuery } from '../queries.ts'
import { LogFeed } from './log-feed.tsx'

const succeeded = '200'

export function SignInHistory({ userID }: { userID: string }) {
  const query = useInfiniteQuery(signInHistoryQuery(userID))
  return (
    <LogFeed
      subject="登录记录"
      empty="还没有登录记录"
      query={query}
      keyOf={(log) => log.id}
      row={(log) => (
        <>
          <span className="log-head">
            {log.code === succeeded ? (
              <StatusTag text="登录成功" tone="success" />
            ) : (
              <StatusTag text={log.msg || '登录失败'} tone="error" />
            )}
            <TimeText value={log.createdTime} mode="exact" />
          </span>
          <span className="log-line meta">
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
      subject="操作记录"
      empty="还没有操作记录"
      query={query}
      keyOf={(log) => log.id}
      row={(log) => (
        <>
          <span className="log-head">
            <span className="log-name">{log.operName}</span>
            <BusinessTypeTag value={log.businessType} />
            <TimeText value={log.createdTime} mode="exact" />
          </span>
          <span className="log-line meta">
            {log.code === succeeded ? (
              <StatusTag text="成功" tone="success" />
            ) : (
              <StatusTag text={log.msg || '失败'} tone="error" />
            )}
            <span className="mono">{log.uri}</span>
            <span className="mono">{log.operIpAddr}</span>
          </span>
        </>
      )}
    />
  )
}

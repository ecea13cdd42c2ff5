import { type LoginLog, LogResult } from '@ithings/contract/features/logs.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { resultOptions } from '../labels.ts'
import { loginLogColumns } from '../parts/login-log-columns.tsx'
import '../parts/logs.css'
import { periodFilter } from '../parts/period-filter.tsx'
import { RetentionNote } from '../parts/retention-note.tsx'
import { SuspectsAlert } from '../parts/suspects-alert.tsx'
import { type LoginLogFilter, loginLogsQuery, retentionQuery } from '../queries.ts'

// Without the setting (no right to read it) a range may reach a year back.
const usualDays = 365

const filtersFor = (days: number): FilterField[] => [
  { name: 'userName', label: '用户', control: 'text', placeholder: '输入用户名', width: 160 },
  { name: 'ipAddr', label: '登录 IP', control: 'text', width: 160 },
  { name: 'result', label: '结果', control: 'select', options: resultOptions, width: 100 },
  periodFilter('登录时间', days),
  { name: 'loginLocation', label: '登录地点', control: 'text', width: 160, advanced: true },
  { name: 'browser', label: '浏览器', control: 'text', width: 160, advanced: true },
  { name: 'os', label: '操作系统', control: 'text', width: 160, advanced: true },
]

/** screens.md 16: who tried to sign in, from where, and how it ended. */
export function LoginLogList() {
  const [params, setParams] = useSearchParams()
  const { data: settings } = useQuery(retentionQuery)
  const days = settings?.loginLogDays ?? usualDays
  const filters = useMemo(() => filtersFor(days), [days])

  const showAddress = (ipAddr: string) =>
    setParams((before) => {
      const next = new URLSearchParams({ ipAddr, result: String(LogResult.failure) })
      const time = before.get('time')
      if (time !== null) next.set('time', time)
      return next
    })

  return (
    <>
      <PageHeading title="登录日志" subtitle={<RetentionNote days={settings?.loginLogDays} />} />
      <SuspectsAlert time={params.get('time') ?? undefined} onPick={showAddress} />
      <ListPage<LoginLog, LoginLogFilter>
        title="登录日志"
        embedded
        index
        filters={filters}
        columns={loginLogColumns}
        rowKey="id"
        storageKey="login-logs"
        query={({ page, filters: wanted }) => loginLogsQuery(page, wanted)}
        exportName="登录日志"
        empty={{ title: '这段时间没有登录记录', text: '可以把登录时间放宽一些再看。' }}
      />
    </>
  )
}

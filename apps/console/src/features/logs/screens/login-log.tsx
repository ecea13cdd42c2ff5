import { type LoginLog, LogResult } from '@ithings/contract/features/logs.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { useMemo } from '#language/use-memo.ts'
import { resultLook, resultOptions } from '../labels.ts'
import '../parts/logs.css'
import { Alert, Button } from 'antd'
import { Copyable } from '#kit/copyable.tsx'
import { StatusTag, stateText } from '#kit/status-tag.tsx'
import { suspectFailures } from '../brute-force.ts'
import { describePeriod } from '../log-period.ts'
import { periodFilter } from '../parts/period-filter.tsx'
import { RetentionNote } from '../parts/retention-note.tsx'
import { type LoginLogFilter, loginLogsQuery, lookedAtFailures, retentionQuery, suspectsQuery } from '../queries.ts'

/** A name that belongs to no account is logged without a user id. */
const userIDText = (row: LoginLog) => (row.userID === '0' ? '' : row.userID)

const loginLogColumns: ListColumn<LoginLog>[] = [
  {
    key: 'userID',
    title: '用户id',
    render: (_value, row) => <Copyable text={userIDText(row)} />,
    exportText: userIDText,
    hiddenAtFirst: true,
  },
  { key: 'userName', title: '登录人员', dataIndex: 'userName', sorter: true, hideable: false, phone: 'title' },
  {
    key: 'ipAddr',
    title: '登录 IP',
    dataIndex: 'ipAddr',
    sorter: true,
    phone: 'subtitle',
    render: (_value, row) => <Copyable text={row.ipAddr} />,
  },
  { key: 'loginLocation', title: '登录地点', dataIndex: 'loginLocation', phone: 'meta' },
  { key: 'browser', title: '浏览器类型', dataIndex: 'browser', truncate: 160, phone: 'meta' },
  { key: 'os', title: '操作系统', dataIndex: 'os', truncate: 140 },
  {
    key: 'code',
    title: '登录状态',
    sorter: true,
    phone: 'status',
    render: (_value, row) => <StatusTag {...resultLook(row.code)} />,
    exportText: (row) => stateText(resultLook(row.code).text),
  },
  { key: 'msg', title: '提示信息', dataIndex: 'msg', truncate: 240, phone: 'meta' },
  { key: 'createdTime', title: '登录时间', sorter: true, phone: 'meta', time: 'exact' },
]

const shownSuspects = 3

interface SuspectsAlertProps {
  time: string | undefined
  /** Shows the failures of one address. */
  onPick: (ipAddr: string) => void
}

/** Somebody may be guessing passwords: which addresses failed five times or more in the period on screen. */
function SuspectsAlert({ time, onPick }: SuspectsAlertProps) {
  const { data } = useQuery(suspectsQuery(time))
  if (!data || data.suspects.length === 0) return null
  const rest = data.suspects.length - shownSuspects
  const facts = { period: describePeriod(time), count: data.suspects.length, least: suspectFailures }
  return (
    <Alert
      className="suspects"
      type="warning"
      showIcon
      title={
        <span className="suspects-list row wrap">
          {data.complete
            ? t('{period}内有 {count} 个地址登录失败达到 {least} 次，可能有人在尝试密码：', facts)
            : t(
                '{period}内有 {count} 个地址登录失败达到 {least} 次，可能有人在尝试密码（只统计最近 {looked, number} 条失败记录）：',
                { ...facts, looked: lookedAtFailures },
              )}
          {data.suspects.slice(0, shownSuspects).map(({ ipAddr, failures, accounts }) => (
            <Button key={ipAddr} size="small" type="link" onClick={() => onPick(ipAddr)}>
              <span className="mono">{ipAddr}</span>
              {t('（{failures} 次，{accounts} 个账号）', { failures, accounts })}
            </Button>
          ))}
          {rest > 0 && <span className="meta">{t('另有 {rest} 个', { rest })}</span>}
        </span>
      }
    />
  )
}

// Without the setting (no right to read it) a range may reach a year back.
const usualDays = 365

const filtersFor = (days: number): FilterField[] => [
  { name: 'userName', label: t('用户'), control: 'text', placeholder: t('输入用户名'), width: 160 },
  { name: 'ipAddr', label: t('登录 IP'), control: 'text', width: 160 },
  { name: 'result', label: t('结果'), control: 'select', options: resultOptions, width: 100 },
  periodFilter(t('登录时间'), days),
  { name: 'loginLocation', label: t('登录地点'), control: 'text', width: 160, advanced: true },
  { name: 'browser', label: t('浏览器'), control: 'text', width: 160, advanced: true },
  { name: 'os', label: t('操作系统'), control: 'text', width: 160, advanced: true },
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
      <PageHeading title={t('登录日志')} subtitle={<RetentionNote days={settings?.loginLogDays} />} />
      <SuspectsAlert time={params.get('time') ?? undefined} onPick={showAddress} />
      <ListPage<LoginLog, LoginLogFilter>
        title={t('登录日志')}
        embedded
        index
        filters={filters}
        columns={loginLogColumns}
        rowKey="id"
        storageKey="login-logs"
        query={({ page, filters: wanted }) => loginLogsQuery(page, wanted)}
        exportName={t('登录日志')}
        empty={{ title: t('这段时间没有登录记录'), text: t('可以把登录时间放宽一些再看。') }}
      />
    </>
  )
}

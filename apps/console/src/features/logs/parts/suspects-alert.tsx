import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { suspectFailures } from '../brute-force.ts'
import { describePeriod } from '../log-period.ts'
import { lookedAtFailures, suspectsQuery } from '../queries.ts'

const shownSuspects = 3

interface SuspectsAlertProps {
  time: string | undefined
  /** Shows the failures of one address. */
  onPick: (ipAddr: string) => void
}

/** Somebody may be guessing passwords: which addresses failed five times or more in the period on screen. */
export function SuspectsAlert({ time, onPick }: SuspectsAlertProps) {
  const { data } = useQuery(suspectsQuery(time))
  if (!data || data.suspects.length === 0) return null
  const rest = data.suspects.length - shownSuspects
  const scope = data.complete ? '' : `（只统计最近 ${lookedAtFailures.toLocaleString()} 条失败记录）`
  return (
    <Alert
      className="suspects"
      type="warning"
      showIcon
      title={
        <span className="suspects-list row wrap">
          {describePeriod(time)}内有 {data.suspects.length} 个地址登录失败达到 {suspectFailures} 次，可能有人在尝试密码
          {scope}：
          {data.suspects.slice(0, shownSuspects).map(({ ipAddr, failures, accounts }) => (
            <Button key={ipAddr} size="small" type="link" onClick={() => onPick(ipAddr)}>
              <span className="mono">{ipAddr}</span>（{failures} 次，{accounts} 个账号）
            </Button>
          ))}
          {rest > 0 && <span className="meta">另有 {rest} 个</span>}
        </span>
      }
    />
  )
}

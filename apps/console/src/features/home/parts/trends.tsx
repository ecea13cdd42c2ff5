import type { HomeSummary } from '@ithings/contract/features/home.ts'
import { Link } from 'react-router'
import { lastPoint, type Trend } from '../charts/trend-option.ts'
import { figure, rateText, shortFigure, todayWord } from '../figures.ts'
import { look } from '../look.ts'
import { devicesPath, messagesPath } from '../paths.ts'
import { usePeak } from '../use-peak.ts'
import { TrendPanel } from './trend-panel.tsx'

const onlineFacts = (peak: number) => (trend: Trend | undefined) => {
  const before = trend && lastPoint(trend)?.before
  return (
    <>
      {trend && (
        <span>
          最高 <b>{figure(Math.max(trend.highest, peak))}</b>
        </span>
      )}
      {typeof before === 'number' && (
        <span>
          昨日此时 <b>{figure(before)}</b>
        </span>
      )}
    </>
  )
}

const messageFacts = (peak: number, summary: HomeSummary | undefined) => (trend: Trend | undefined) => (
  <>
    {trend && (
      <span>
        峰值 <b>{rateText(Math.max(trend.highest, peak))}</b>
      </span>
    )}
    {summary && (
      <span>
        <Link to={messagesPath}>
          {todayWord(summary.timeZone)}累计 <b>{shortFigure(summary.messages.today)}</b>
        </Link>
      </span>
    )}
  </>
)

export function Trends({ summary }: { summary: HomeSummary | undefined }) {
  const online = usePeak(summary?.totals.online)
  const rate = usePeak(summary?.messages.perSecond)
  return (
    <>
      <TrendPanel
        kind="online"
        title="在线设备"
        colour={look.accent}
        value={summary && figure(summary.totals.online)}
        unit="台"
        to={devicesPath({ state: 'online' })}
        facts={onlineFacts(online)}
      />
      <TrendPanel
        kind="message"
        title="消息速率"
        colour={look.teal}
        value={summary && rateText(summary.messages.perSecond)}
        unit="条/秒"
        to={messagesPath}
        facts={messageFacts(rate, summary)}
      />
    </>
  )
}

import { FullscreenExitOutlined, FullscreenOutlined } from '@ant-design/icons'
import type { HomePart, HomeSummary } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { Link } from 'react-router'
import { useLiveConnected } from '#api/live.ts'
import { paths } from '#kit/paths.ts'
import { clockTime, relativeTime } from '#kit/time.ts'
import { enabledScenesPath } from '../paths.ts'
import { useNow } from '../use-now.ts'

/** Whether what is seen is true now: by notices, by asking, or not any more. */
function Freshness({ query }: { query: UseQueryResult<HomeSummary> }) {
  const now = useNow()
  const connected = useLiveConnected()
  const state = query.isError ? 'lost' : connected ? 'live' : 'polled'
  const words = { live: t('实时'), polled: t('定时刷新'), lost: t('更新失败') }[state]
  return (
    <span className={`home-fresh inline-row at-end home-fresh-${state}`}>
      <i aria-hidden="true" />
      {words}
      {query.dataUpdatedAt > 0 && <span> {t('· {time}更新', { time: relativeTime(query.dataUpdatedAt, now) })}</span>}
    </span>
  )
}

function Clock() {
  const now = useNow()
  return (
    <>
      <span className="home-date">{dayjs(now).format('YYYY-MM-DD dddd')}</span>
      <time className="home-clock main-text end" dateTime={new Date(now).toISOString()}>
        {clockTime(now)}
      </time>
    </>
  )
}

interface FactsProps extends Pick<HomeSummary, 'products' | 'cities' | 'scenes'> {
  hidden: ReadonlySet<HomePart>
}

const Facts = ({ products, cities, scenes, hidden }: FactsProps) => (
  <>
    {!hidden.has('product') && <Link to={paths.products}>{t('{count, number} 个产品', { count: products })}</Link>}
    {!hidden.has('device') && <span>{t('{count, number} 个城市', { count: cities })}</span>}
    {!hidden.has('scene') && <Link to={enabledScenesPath}>{t('{count, number} 个场景启用', { count: scenes })}</Link>}
  </>
)

interface HomeHeaderProps {
  query: UseQueryResult<HomeSummary>
  hidden: ReadonlySet<HomePart>
  full: boolean
  onToggle: () => void
}

export function HomeHeader({ query, hidden, full, onToggle }: HomeHeaderProps) {
  const { data } = query
  const label = full ? t('退出全屏') : t('全屏显示')
  return (
    <header className="home-header row wrap fixed">
      <h1>{t('设备运行总览')}</h1>
      <p className="home-facts flex softer small">{data && <Facts {...data} hidden={hidden} />}</p>
      <div className="home-header-right row to-end softer small">
        <Freshness query={query} />
        <Clock />
        <button
          type="button"
          className="home-icon-button inline-row center touch"
          aria-label={label}
          title={label}
          onClick={onToggle}
        >
          {full ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
        </button>
      </div>
    </header>
  )
}

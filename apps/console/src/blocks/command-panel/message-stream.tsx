import { ClearOutlined, DownloadOutlined, PauseOutlined, PlayCircleOutlined, SearchOutlined } from '@ant-design/icons'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { hubActionLabels, hubActions, listHubLog } from '@ithings/contract/features/history.ts'
import { deviceTopic } from '@ithings/contract/features/live.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Segmented, Select, Skeleton, Tooltip } from 'antd'
import { useEffect, useState } from 'react'
import { useLive, useLivePolling } from '#api/live.ts'
import { downloadText } from '#kit/download.ts'
import { QueryError, Stale } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { useMemo } from '#language/use-memo.ts'
import { groupByRequest } from '../log-table/exchanges.ts'
import { useLogDrawers } from '../log-table/use-log-drawers.tsx'
import { translated } from '../translated.ts'
import { streamLines, streamQuery } from './queries.ts'
import { everything, fits, type StreamFilter } from './stream-filter.ts'
import { StreamRow } from './stream-row.tsx'

/** What happened just before the page was opened is shown too. */
const lookBack = 15 * 60_000
const second = 1000

/** The clock by which missing replies are judged. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), second)
    return () => clearInterval(timer)
  }, [running])
  return now
}

/** Messages of a device as they come; paused it stands still, cleared it begins anew. */
function useStream(device: DeviceKey) {
  const [since, setSince] = useState(() => Date.now() - lookBack)
  const [paused, setPaused] = useState(false)
  useLive(paused ? undefined : deviceTopic(device), { log: [[listHubLog.path, 'stream']] })
  const pace = useLivePolling()
  const result = useQuery({ ...streamQuery(device, since), enabled: !paused, refetchInterval: pace })
  const now = useNow(!paused)
  const exchanges = useMemo(() => groupByRequest(result.data ?? []), [result.data])
  return {
    exchanges,
    count: result.data?.length ?? 0,
    now,
    paused,
    setPaused,
    clear: () => setSince(Date.now()),
    result,
  }
}

const actionOptions = hubActions.map((value) => ({ value, label: hubActionLabels[value] }))

const FilterBar = ({ filter, onChange }: { filter: StreamFilter; onChange: (filter: StreamFilter) => void }) => (
  <div className="stream-filter line-bottom gap-8-12 row wrap">
    <Segmented<StreamFilter['way']>
      aria-label={t('方向')}
      value={filter.way}
      options={[
        { value: 'all', label: t('全部') },
        { value: 'up', label: t('上行') },
        { value: 'down', label: t('下行') },
      ]}
      onChange={(way) => onChange({ ...filter, way })}
    />
    <Select
      aria-label={t('类别')}
      allowClear
      placeholder={t('全部类别')}
      style={{ width: 112 }}
      value={filter.action}
      options={translated(actionOptions)}
      onChange={(action?: string) => onChange({ ...filter, action })}
    />
    <Input
      aria-label={t('关键字')}
      allowClear
      prefix={<SearchOutlined />}
      placeholder={t('method、token 或内容')}
      value={filter.keyword}
      onChange={(event) => onChange({ ...filter, keyword: event.target.value })}
    />
  </div>
)

/** screens.md 18 消息流: what the device and the platform say to each other, as it happens. */
export function MessageStream({ device }: { device: DeviceKey }) {
  const stream = useStream(device)
  const { exchanges, count, paused, setPaused, now, result } = stream
  const [filter, setFilter] = useState(everything)
  const { showTrace, drawers } = useLogDrawers()
  const shown = exchanges.filter((exchange) => fits(exchange, filter))
  const save = () =>
    downloadText(
      JSON.stringify(shown, null, 2),
      `${device.deviceName}-messages-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`,
    )
  const body = () => {
    if (result.isError && !result.data) return <QueryError subject={t('消息流')} query={result} />
    if (result.isPending) return <Skeleton active paragraph={{ rows: 8 }} className="pad-16" />
    if (shown.length === 0) {
      return exchanges.length > 0 ? (
        <StateBlock
          variant="no-match"
          title={t('没有符合条件的消息')}
          action={<Button onClick={() => setFilter(everything)}>{t('清空筛选')}</Button>}
        />
      ) : (
        <StateBlock variant="empty" title={t('还没有消息')} text={t('设备上报或平台下发后，会在这里实时出现。')} />
      )
    }
    return (
      <ul className="bare-list">
        {shown.map((exchange) => (
          <StreamRow key={exchange.tranceID} exchange={exchange} now={now} onTrace={showTrace} />
        ))}
      </ul>
    )
  }
  return (
    <section className="sheet stream column shrink" aria-label={t('消息流')}>
      <div className="stream-head gap-8-12 row wrap">
        <h2 className="subtitle">{t('消息流')}</h2>
        <span className={`inline-row softer gap-8 ${paused || result.isError ? '' : 'log-live-on'}`}>
          <span className="log-live-dot circle" aria-hidden="true" />
          {paused ? t('已暂停') : result.isError ? t('未更新') : t('实时')}
        </span>
        <span className="meta">
          {count >= streamLines ? t('最近 {count} 条', { count: streamLines }) : t('{count} 条', { count })}
        </span>
        <span className="flex to-end gap-4">
          <Button
            type="text"
            icon={paused ? <PlayCircleOutlined /> : <PauseOutlined />}
            onClick={() => setPaused(!paused)}
          >
            {paused ? t('继续') : t('暂停')}
          </Button>
          <Button type="text" icon={<ClearOutlined />} onClick={stream.clear}>
            {t('清空')}
          </Button>
          <Tooltip title={t('导出 JSON')}>
            <Button
              type="text"
              icon={<DownloadOutlined />}
              aria-label={t('导出')}
              disabled={shown.length === 0}
              onClick={save}
            />
          </Tooltip>
        </span>
      </div>
      <FilterBar filter={filter} onChange={setFilter} />
      <Stale query={result} />
      <div className="scroll min-0 grow">{body()}</div>
      {drawers}
    </section>
  )
}

import type { Device } from '@ithings/contract/features/devices/info.ts'
import type { TableFormat } from '@ithings/contract/features/jobs.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'
import { eventTypeLabels, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Button, Dropdown } from 'antd'
import { useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { HistoryChart, type TimeWindow } from '#blocks/history-chart/history-chart.tsx'
import { markColours, markSigns } from '#blocks/history-chart/picture.ts'
import type { HistorySeries } from '#blocks/history-chart/series.ts'
import { zoomSteps } from '#blocks/history-chart/zoom-steps.ts'
import { isNumeric } from '#blocks/typed-value/value-text.ts'
import type { Zoomer } from '#kit/chart-props.ts'
import { ExportButton } from '#kit/export-button.tsx'
import { newAlarmPath } from '#kit/paths.ts'
import { May } from '#kit/rights.tsx'
import { formatTime } from '#kit/time.ts'
import { EventParams } from './event-words.tsx'
import type { Happening } from './happenings.ts'
import { type HistoryChoice, type HistoryPlan, highestIn } from './history-plan.ts'
import type { SetHistoryUrl } from './history-url.ts'
import { useHappenings, useLimits } from './use-history.ts'

const format = 'MM-DD HH:mm:ss'

interface ChosenPartProps {
  window: TimeWindow
  productID: string
  series: readonly HistorySeries[]
  onRead: () => void
  onExport: (format: TableFormat) => void
  onReset: () => void
}

/** What can be done with the part of the range that somebody zoomed to. */
function ChosenPart({ window, productID, series, onRead, onExport, onReset }: ChosenPartProps) {
  const alarms = series.flatMap((line) => {
    const { key, property } = line
    const value = isNumeric(property.define) ? highestIn(line, window) : undefined
    if (value === undefined) return []
    const to = newAlarmPath({ productID, dataID: property.identifier, value: String(value) })
    return [{ key, label: <Link to={to}>{`${line.name} > ${value}`}</Link> }]
  })
  return (
    <section className="row wrap below-8 gap-8" aria-label={t('所选区间')}>
      <span>
        {t('已选 {from} 至 {to}', { from: formatTime(window.from, format), to: formatTime(window.to, format) })}
      </span>
      <Button size="small" onClick={onRead}>
        {t('细看这段')}
      </Button>
      <ExportButton size="small" icon={null} onPick={onExport}>
        {t('导出这段')}
      </ExportButton>
      {alarms.length > 0 && (
        <May needs={createScene}>
          <Dropdown trigger={['click']} menu={{ items: alarms }}>
            <Button size="small">{t('以此新增告警')}</Button>
          </Dropdown>
        </May>
      )}
      <Button size="small" type="text" onClick={onReset}>
        {t('还原')}
      </Button>
    </section>
  )
}

interface RangeEventsProps {
  happenings: readonly Happening[]
  model: ThingModel
  onView: (view: 'events' | 'commands') => void
}

/** The dotted lines of the chart, told apart. */
const RangeEvents = ({ happenings, model, onView }: RangeEventsProps) => (
  <section className="range-events line-above shrink" aria-label={t('区间事件')}>
    <div className="row between" style={{ paddingBlock: 8 }}>
      <h3 className="subtitle">{t('区间事件')}</h3>
      <span>
        <Button type="link" size="small" onClick={() => onView('events')}>
          {t('全部事件')}
        </Button>
        <Button type="link" size="small" onClick={() => onView('commands')}>
          {t('全部指令')}
        </Button>
      </span>
    </div>
    <ul className="bare-list">
      {happenings.map(({ key, kind, time, type, name, text, event, to }) => (
        <li key={key} className="line-above">
          <span aria-hidden="true" style={{ color: markColours[type] }}>
            {markSigns[kind]}
          </span>
          <b className="anywhere">{to ? <Link to={to}>{name}</Link> : name}</b>
          <time className="quiet">{formatTime(time, format)}</time>
          <span className="meta" style={{ gridColumn: '2 / -1' }}>
            {event ? t(eventTypeLabels[type]) : text} {event && <EventParams event={event} model={model} />}
          </span>
        </li>
      ))}
    </ul>
  </section>
)

interface HistoryBodyProps {
  device: Device
  model: ThingModel
  choice: HistoryChoice
  data: HistoryPlan
  series: readonly HistorySeries[]
  loading: boolean
  window: TimeWindow | undefined
  onWindow: (window: TimeWindow | undefined) => void
  onExport: (format: TableFormat) => void
  onChange: SetHistoryUrl
}

/** The chart with what happened meanwhile; of several devices only their lines. */
export function HistoryBody({ device, model, choice, data, series, window, onChange, ...props }: HistoryBodyProps) {
  const alone = choice.deviceNames.length === 1
  const { bands, happenings } = useHappenings(device, model, choice, alone)
  const limits = useLimits(device, alone)
  const navigate = useNavigate()
  const zoomer = useRef<Zoomer>(null)
  const open = (key: string) => {
    const to = happenings.find((one) => one.key === key)?.to
    if (to) void navigate(to)
  }
  return (
    <div className="history-body stack">
      <div>
        {window && (
          <ChosenPart
            window={window}
            productID={device.productID}
            series={series}
            onRead={() => onChange({ time: `${window.from}~${window.to}` })}
            onExport={props.onExport}
            onReset={() => zoomer.current?.(zoomSteps.all)}
          />
        )}
        <HistoryChart
          series={series}
          from={data.from}
          to={data.to}
          interval={data.interval}
          func={choice.func}
          marks={happenings}
          loading={props.loading}
          emptyText={t('这段时间没有上报过数据，可以换一个时间范围')}
          onWindow={props.onWindow}
          zoomer={zoomer}
          onMark={open}
          bands={bands}
          limits={limits}
        />
      </div>
      {happenings.length > 0 && (
        <RangeEvents happenings={happenings} model={model} onView={(view) => onChange({ view })} />
      )}
    </div>
  )
}

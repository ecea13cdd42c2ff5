import type { Device } from '@ithings/contract/features/devices/info.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { HistoryChart, type TimeWindow } from '#blocks/history-chart/history-chart.tsx'
import type { HistorySeries } from '#blocks/history-chart/series.ts'
import { zoomSteps } from '#blocks/history-chart/zoom-steps.ts'
import type { Zoomer } from '#kit/chart-props.ts'
import type { HistoryChoice, HistoryPlan } from './history-plan.ts'
import type { SetHistoryUrl } from './history-url.ts'
import { HistoryWindow } from './history-window.tsx'
import { RangeEvents } from './range-events.tsx'
import { useHappenings, useLimits } from './use-history.ts'

interface HistoryBodyProps {
  device: Device
  model: ThingModel
  choice: HistoryChoice
  data: HistoryPlan
  series: readonly HistorySeries[]
  loading: boolean
  window: TimeWindow | undefined
  onWindow: (window: TimeWindow | undefined) => void
  onExport: () => void
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
    <div className="history-body">
      <div>
        {window && (
          <HistoryWindow
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
          emptyText="这段时间没有上报过数据，可以换一个时间范围"
          onWindow={props.onWindow}
          zoomer={zoomer}
          onMark={open}
          {...(bands && { bands })}
          {...(limits && { limits })}
        />
      </div>
      {happenings.length > 0 && (
        <RangeEvents happenings={happenings} model={model} onView={(view) => onChange({ view })} />
      )}
    </div>
  )
}

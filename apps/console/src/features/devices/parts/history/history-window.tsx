import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { Button, Dropdown } from 'antd'
import { Link } from 'react-router'
import type { TimeWindow } from '#blocks/history-chart/history-chart.tsx'
import type { HistorySeries } from '#blocks/history-chart/series.ts'
import { newAlarmPath } from '#blocks/scene-paths.ts'
import { isNumeric } from '#blocks/typed-value/value-text.ts'
import { May } from '#kit/rights.tsx'
import { formatTime } from '#kit/time.ts'
import { highestIn } from './history-plan.ts'

interface HistoryWindowProps {
  window: TimeWindow
  productID: string
  series: readonly HistorySeries[]
  onRead: () => void
  onExport: () => void
  onReset: () => void
}

const format = 'MM-DD HH:mm:ss'

/** What can be done with the part of the range that somebody zoomed to. */
export function HistoryWindow({ window, productID, series, onRead, onExport, onReset }: HistoryWindowProps) {
  const alarms = series.flatMap((line) => {
    const { key, property } = line
    const value = isNumeric(property.define) ? highestIn(line, window) : undefined
    if (value === undefined) return []
    const to = newAlarmPath({ productID, dataID: property.identifier, value: String(value) })
    return [{ key, label: <Link to={to}>{`${line.name} > ${value}`}</Link> }]
  })
  return (
    <section className="history-window row wrap gap-8" aria-label="所选区间">
      <span>
        已选 {formatTime(window.from, format)} 至 {formatTime(window.to, format)}
      </span>
      <Button size="small" onClick={onRead}>
        细看这段
      </Button>
      <Button size="small" onClick={onExport}>
        导出这段
      </Button>
      {alarms.length > 0 && (
        <May needs={createScene}>
          <Dropdown trigger={['click']} menu={{ items: alarms }}>
            <Button size="small">以此新增告警</Button>
          </Dropdown>
        </May>
      )}
      <Button size="small" type="text" onClick={onReset}>
        还原
      </Button>
    </section>
  )
}

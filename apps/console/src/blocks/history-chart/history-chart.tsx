/** The history of some properties as a chart with its figures below (screens.md 6.4). */
import { t } from '@ithings/contract/text.ts'
import type { RefObject } from 'react'
import { isState } from '#blocks/typed-value/value-text.ts'
import { Chart } from '#kit/chart.tsx'
import type { Zoomer } from '#kit/chart-props.ts'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { ChartKey } from './chart-key.tsx'
import { historyOption, paletteSize } from './chart-option.ts'
import './history-chart.css'
import { numberText } from '#kit/number-text.ts'
import { type HistoryPicture, pointText } from './picture.ts'
import type { HistorySeries } from './series.ts'

export interface HistoryChartProps extends HistoryPicture {
  loading?: boolean
  emptyText?: string
  /** Which part of the range is looked at; undefined: all of it. */
  onWindow: (window: TimeWindow | undefined) => void
  /** Zooms the chart from elsewhere. */
  zoomer: RefObject<Zoomer | null>
  /** By its key. */
  onMark: (key: string) => void
}

export interface TimeWindow {
  from: number
  to: number
}

const Swatch = ({ index }: { index: number }) => (
  <span
    className={`history-swatch fixed ${index < paletteSize ? '' : 'history-swatch-dashed'}`}
    style={{ color: `var(--chart-${(index % paletteSize) + 1})` }}
    aria-hidden="true"
  />
)

const desktopHeight = 400
const phoneHeight = 280

export function HistoryChart(props: HistoryChartProps) {
  const { loading = false, emptyText, onWindow, zoomer, onMark, ...picture } = props
  const phone = usePhone()
  const { series, from, to, interval, func, marks, bands, limits } = picture
  const option = useMemo(
    () => historyOption({ series, from, to, interval, func, marks, bands, limits }),
    [series, from, to, interval, func, marks, bands, limits],
  )
  const at = (share: number) => Math.round(from + ((to - from) * share) / 100)
  const empty = series.every(({ points }) => points.length === 0)
  return (
    <>
      <Chart
        height={phone ? phoneHeight : desktopHeight}
        option={option}
        label={t('{names}的历史曲线', { names: series.map(({ name }) => name).join(t('、')) })}
        empty={empty && !loading}
        loading={loading}
        onZoom={({ start, end }) => onWindow(start > 0 || end < 100 ? { from: at(start), to: at(end) } : undefined)}
        zoomer={zoomer}
        onClick={({ name }) => onMark(name)}
        {...(emptyText && { emptyText })}
      />
      {!empty && (
        <>
          <ChartKey picture={picture} onZoom={(change) => zoomer.current?.(change)} />
          <Figures picture={picture} />
        </>
      )}
    </>
  )
}

/** A table of the page's own: these few rows need nothing of the one that lists are made of. */
function Figures({ picture }: { picture: HistoryPicture }) {
  // The least and the last are values even where the line shows how many there were.
  const plain = { interval: 0, func: picture.func }
  const figure = (line: HistorySeries, value: number | null) =>
    value === null ? <span className="no-value">—</span> : pointText(plain, line, value)
  return (
    <div className="history-figures above-12">
      <table className="wide">
        <thead>
          <tr>
            {[t('属性'), t('最新'), t('平均'), t('最小'), t('最大'), t('点数')].map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {picture.series.map((line, index) => (
            <tr key={line.key}>
              <td>
                <span className="inline-row gap-8">
                  <Swatch index={index} />
                  {line.name}
                  <span className="mono meta">{line.property.identifier}</span>
                </span>
              </td>
              <td>{figure(line, line.stats.last)}</td>
              {(['avg', 'min', 'max'] as const).map((name) => (
                <td key={name}>{figure(line, isState(line.property.define) ? null : line.stats[name])}</td>
              ))}
              <td>{numberText(line.stats.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

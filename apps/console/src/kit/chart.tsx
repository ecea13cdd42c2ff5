import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense } from 'react'
import './chart.css'
import { StateBlock } from './states/state-block.tsx'

export interface ChartProps {
  /** Reserved at once: nothing jumps when the chart arrives. */
  height: number
  option: EChartsCoreOption
  /** What the picture shows, for those who cannot see it. */
  label: string
  /** No points: the empty state stands in the same space. */
  empty?: boolean
  emptyText?: string
  /** Previous picture stays, dimmed. */
  loading?: boolean
  /** Charts of one group share their tooltip and zoom. */
  group?: string
  onClick?: (params: { seriesName?: string; dataIndex: number; name: string; value: unknown }) => void
}

const Canvas = lazy(() => import('./chart-canvas.tsx').then((module) => ({ default: module.ChartCanvas })))

/** ECharts in a chunk of its own, with our palette in both themes. */
export function Chart(props: ChartProps) {
  const { height, label, empty = false, emptyText = '所选范围内没有数据', loading = false } = props
  return (
    <div className={loading ? 'chart chart-loading' : 'chart'} style={{ height }}>
      {empty ? (
        <StateBlock variant="empty" title={emptyText} compact />
      ) : (
        <Suspense fallback={<div className="chart-wait" role="status" aria-label={`${label}加载中`} />}>
          <Canvas {...props} />
        </Suspense>
      )}
    </div>
  )
}

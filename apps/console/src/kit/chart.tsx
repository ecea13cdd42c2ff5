import { lazy, Suspense } from 'react'
import './chart.css'
import type { ChartProps } from './chart-props.ts'
import { StateBlock } from './states/state-block.tsx'

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

import { t } from '@ithings/contract/text.ts'
import { lazy, Suspense } from 'react'
import './chart.css'
import type { ChartProps } from './chart-props.ts'
import { StateBlock } from './states/state-block.tsx'

const load = async () => ({ default: (await import('./chart-canvas.tsx')).ChartCanvas })
const Canvas = lazy(load)
const BarCanvas = lazy(async () => (await Promise.all([load(), import('./chart-bars.ts')]))[0])

/** ECharts in a chunk of its own, with our palette in both themes. */
export function Chart(props: ChartProps) {
  const { height, label, bars = false, empty = false, emptyText = t('所选范围内没有数据'), loading = false } = props
  const Drawn = bars ? BarCanvas : Canvas
  return (
    <div className={loading ? 'chart chart-loading' : 'chart'} style={{ height }}>
      {empty ? (
        <StateBlock variant="empty" title={emptyText} compact />
      ) : (
        <Suspense
          fallback={
            <div className="chart-wait round-6 grey-fill" role="status" aria-label={t('{label}加载中', { label })} />
          }
        >
          <Drawn {...props} />
        </Suspense>
      )}
    </div>
  )
}

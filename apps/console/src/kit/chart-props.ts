import type { EChartsCoreOption } from 'echarts/core'
import type { Ref } from 'react'

/** Shares of the whole, 0 to 100. */
export interface ChartZoom {
  start: number
  end: number
}
/** Zooms to another part than now. */
export type Zoomer = (change: (now: ChartZoom) => ChartZoom) => void

export interface ChartProps {
  /** Reserved at once: nothing jumps when the chart arrives. */
  height: number
  option: EChartsCoreOption
  /** It has bars or marked points. */
  bars?: boolean
  /** What the picture shows, for those who cannot see it. */
  label: string
  /** No points: the empty state stands in the same space. */
  empty?: boolean
  emptyText?: string
  /** Previous picture stays, dimmed. */
  loading?: boolean
  /** Charts of one group share their tooltip and zoom. */
  group?: string
  /** Which part is looked at now. With it, dragging across the plot zooms. */
  onZoom?: (zoom: ChartZoom) => void
  zoomer?: Ref<Zoomer> | undefined
  onClick?: (params: { seriesName?: string; dataIndex: number; name: string; value: unknown }) => void
}

import type { EChartsCoreOption } from 'echarts/core'

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
  /** Shares of the whole, 0 to 100: which part is looked at now. With it, dragging across the plot zooms. */
  onZoom?: (zoom: { start: number; end: number }) => void
  onClick?: (params: { seriesName?: string; dataIndex: number; name: string; value: unknown }) => void
}

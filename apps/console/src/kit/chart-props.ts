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
  onClick?: (params: { seriesName?: string; dataIndex: number; name: string; value: unknown }) => void
}

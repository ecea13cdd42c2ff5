import { Chart } from '#kit/chart.tsx'
import type { ChartProps } from '#kit/chart-props.ts'
import { useSize } from '../use-size.ts'

/** A chart as high as the room that its panel leaves. */
export function FillChart(props: Omit<ChartProps, 'height'>) {
  const [host, size] = useSize<HTMLDivElement>()
  return (
    <div ref={host} className="home-chart grow clip min-0">
      {size && size.height > 0 && <Chart bars {...props} height={Math.floor(size.height)} />}
    </div>
  )
}

/** What everything that ECharts draws begins with: charts and maps share it, and it brings our themes. */
import { TooltipComponent } from 'echarts/components'
import { init, registerTheme, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { chartPalette, fontFamily, type Surface, surfaces } from './theme/palette.ts'

const axis = (c: Surface) => ({
  axisLine: { lineStyle: { color: c.border } },
  axisTick: { show: false },
  axisLabel: { color: c.tertiary, fontSize: 12 },
  splitLine: { lineStyle: { color: c.line } },
  nameTextStyle: { color: c.tertiary },
})

/** look.md 15, look.md "Lines": lines 2 px without symbols, 3 or 4 ticks, gaps stay open. */
function chartTheme(dark: boolean) {
  const c = dark ? surfaces.dark : surfaces.light
  const shared = axis(c)
  return {
    color: [...chartPalette[dark ? 'dark' : 'light']],
    backgroundColor: 'transparent',
    textStyle: { color: c.secondary, fontFamily, fontSize: 12 },
    line: { lineStyle: { width: 2 }, symbol: 'none', showSymbol: false, connectNulls: false },
    bar: { itemStyle: { borderRadius: [2, 2, 0, 0] }, barMaxWidth: 24 },
    tooltip: {
      backgroundColor: c.elevated,
      borderColor: c.border,
      textStyle: { color: c.text, fontSize: 12 },
      axisPointer: { lineStyle: { color: c.disabled }, crossStyle: { color: c.disabled } },
    },
    categoryAxis: { ...shared, splitLine: { show: false } },
    valueAxis: { ...shared, splitNumber: 4, axisLine: { show: false } },
    timeAxis: { ...shared, splitLine: { show: false } },
    logAxis: shared,
    dataZoom: {
      borderColor: c.line,
      fillerColor: c.tint,
      handleStyle: { color: c.primary },
      textStyle: { color: c.tertiary },
    },
    markLine: { lineStyle: { type: 'dashed', width: 1 }, symbol: 'none' },
  }
}

use([CanvasRenderer, TooltipComponent])
registerTheme('calm-light', chartTheme(false))
registerTheme('calm-dark', chartTheme(true))

export { init, use }

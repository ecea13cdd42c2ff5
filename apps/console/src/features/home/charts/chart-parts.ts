/** What both charts of the large screen share (look.md "Home (dark)"). Pure. */
import { look } from '../look.ts'

export const tooltip = (font: number) => ({
  trigger: 'axis',
  backgroundColor: look.panel,
  borderColor: look.axis,
  textStyle: { color: look.text, fontSize: font },
})

export const labelStyle = (font: number) => ({ color: look.tertiary, fontSize: font })

export const timeAxis = { axisLine: { lineStyle: { color: look.axis } }, axisTick: { show: false } }

/** A line at both ends and one in the middle. */
export const valueAxis = (min: number, max: number, font: number, formatter: (value: number) => string) => ({
  type: 'value',
  min,
  max,
  interval: (max - min) / 2,
  axisLine: { show: false },
  splitLine: { lineStyle: { color: look.grid } },
  axisLabel: { ...labelStyle(font), formatter },
})

/** How the map looks: outlines, markers by state, clusters by size (look.md "Map"). */
import { t } from '@ithings/contract/text.ts'
import type { EChartsCoreOption } from 'echarts/core'
import type { StatusTone } from '../status-tag.tsx'
import { surfaces } from '../theme/palette.ts'
import type { MapItem } from './clusters.ts'
import type { MapPoint } from './map-props.ts'
import type { MapScope } from './map-scope.ts'

export interface MapView {
  center: [number, number]
  zoom: number
}

/** Without a place. */
export const wholeOf: Record<MapScope, MapView> = {
  china: { center: [104.5, 36], zoom: 4.6 },
  world: { center: [10, 15], zoom: 1 },
}
const nearZoom = 14
const farZoom = 1.2

/** A view that holds all points. */
export function firstView(points: readonly MapPoint[], scope: MapScope): MapView {
  if (points.length === 0) return wholeOf[scope]
  const longitudes = points.map((point) => point.longitude)
  const latitudes = points.map((point) => point.latitude)
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)]
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)]
  const span = Math.max(east - west, (north - south) * 1.6, 1)
  const zoom = Math.min(nearZoom, Math.max(farZoom, 220 / (span + 6)))
  return { center: [(west + east) / 2, (south + north) / 2], zoom }
}

const toneColour = (dark: boolean): Record<StatusTone, string> => {
  const c = dark ? surfaces.dark : surfaces.light
  return { success: c.okDot, error: c.errorDot, warning: c.warningDot, processing: c.primary, default: c.tertiary }
}

export function mapOption(dark: boolean, label: string, view: MapView): EChartsCoreOption {
  const c = dark ? surfaces.dark : surfaces.light
  return {
    animation: false,
    aria: { enabled: true, label: { description: label } },
    tooltip: {
      trigger: 'item',
      backgroundColor: c.elevated,
      borderColor: c.border,
      textStyle: { color: c.text, fontSize: 12 },
      // Texts of devices are shown as text: ECharts would take a plain string for HTML.
      renderMode: 'richText',
      formatter: (params: { data?: { text?: string } }) => params.data?.text ?? '',
    },
    geo: {
      map: 'china',
      roam: true,
      center: view.center,
      zoom: view.zoom,
      scaleLimit: { min: 1, max: 400 },
      itemStyle: { areaColor: c.fill, borderColor: c.border, borderWidth: 0.6 },
      emphasis: { disabled: true },
      select: { disabled: true },
      label: { show: false },
      tooltip: { show: false },
    },
  }
}

const strongestTone = (tones: Record<string, number>): StatusTone =>
  (Object.entries(tones).sort((a, b) => b[1] - a[1])[0]?.[0] as StatusTone | undefined) ?? 'default'

/** Radius by the root of the count, so that the area tells the number. */
const clusterSize = (count: number): number => Math.min(56, 22 + Math.sqrt(count) * 2)

export function placedSeries(items: MapItem[], chosen: MapPoint | undefined, dark: boolean): object[] {
  const colours = toneColour(dark)
  const c = dark ? surfaces.dark : surfaces.light
  const data = items.map((item) =>
    item.kind === 'marker'
      ? {
          item,
          text: item.marker.text,
          value: [item.marker.longitude, item.marker.latitude],
          symbolSize: 11,
          itemStyle: { color: colours[item.marker.tone], borderColor: c.container, borderWidth: 1.5 },
        }
      : {
          item,
          text: t('{count} 个，放大后分开', { count: item.count }),
          value: [item.longitude, item.latitude],
          symbolSize: clusterSize(item.count),
          itemStyle: { color: colours[strongestTone(item.tones)], opacity: 0.85 },
          label: { show: true, formatter: String(item.count), color: '#FFFFFF', fontSize: 12, fontWeight: 600 },
        },
  )
  const pin = chosen
    ? [{ value: [chosen.longitude, chosen.latitude], text: `${chosen.longitude}, ${chosen.latitude}` }]
    : []
  return [
    { id: 'items', type: 'scatter', coordinateSystem: 'geo', data },
    {
      id: 'chosen',
      type: 'scatter',
      coordinateSystem: 'geo',
      symbol: 'pin',
      symbolSize: 40,
      symbolOffset: [0, 0],
      itemStyle: { color: c.primary },
      data: pin,
    },
  ]
}

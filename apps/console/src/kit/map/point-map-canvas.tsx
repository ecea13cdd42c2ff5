import { bd09ToGcj02, gcj02ToBd09 } from '@ithings/contract/coordinates.ts'
import { t } from '@ithings/contract/text.ts'
import { ScatterChart } from 'echarts/charts'
import { AriaComponent, GeoComponent } from 'echarts/components'
import { type ECharts, registerMap } from 'echarts/core'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useMemo } from '#language/use-memo.ts'
import { init, use } from '../chart-core.ts'
import { usePreferences } from '../preferences.tsx'
import { type MapBox, type MapItem, makeClusters } from './clusters.ts'
import { firstView, mapOption, placedSeries, wholeOf } from './map-option.ts'
import type { MapMarker, MapPoint, PointMapProps } from './map-props.ts'
import { type MapScope, useMapScope } from './map-scope.ts'
import { MapSwitch } from './map-switch.tsx'
import { outlines } from './outlines.ts'

use([AriaComponent, GeoComponent, ScatterChart])

// The name "china" makes ECharts add the islands of the South China Sea.
registerMap('china', outlines as never)

/** How far an arrow key moves the chosen place, in pixels. */
const keyStep = 8
const mercatorTile = 512

const pixelOf = (chart: ECharts, point: MapPoint): number[] =>
  chart.convertToPixel('geo', [point.longitude, point.latitude]) as number[]

function placeAt(chart: ECharts, x: number, y: number): MapPoint | undefined {
  const place = chart.convertFromPixel('geo', [x, y]) as number[] | undefined
  const [longitude = Number.NaN, latitude = Number.NaN] = place ?? []
  const inWorld = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
  return inWorld ? { longitude, latitude } : undefined
}

/** What the map shows now, in the terms of the clusters. */
function viewOf(chart: ECharts): { box: MapBox; zoom: number } {
  const [west = 0, north = 0] = chart.convertFromPixel('geo', [0, 0]) as number[]
  const [east = 0, south = 0] = chart.convertFromPixel('geo', [chart.getWidth(), chart.getHeight()]) as number[]
  const perDegree = chart.getWidth() / Math.max(1e-6, Math.abs(east - west))
  return {
    box: {
      west: Math.max(-180, west),
      east: Math.min(180, east),
      south: Math.max(-85, south),
      north: Math.min(85, north),
    },
    zoom: Math.log2((perDegree * 360) / mercatorTile),
  }
}

/**
 * Positions are BD09 (http-api.md 1), the bundled outlines of China GCJ02 as all public maps there: converted on the way
 * to the picture and back, here only. Whole millionths, as people type them.
 */
export function PointMapCanvas({ markers, editable, onMarkerClick, ...props }: PointMapProps) {
  const { dark } = usePreferences()
  const placed = useMemo(() => markers.map((marker) => ({ ...marker, ...bd09ToGcj02(marker) })), [markers])
  const value = editable?.value
  const chosen = useMemo(() => value && bd09ToGcj02(value), [value])
  const changed = (place: MapPoint) => {
    const { longitude, latitude } = gcj02ToBd09(place)
    editable?.onChange({ longitude: Number(longitude.toFixed(6)), latitude: Number(latitude.toFixed(6)) })
  }
  const clicked = ({ id }: MapMarker) => {
    const marker = markers.find((one) => one.id === id)
    if (marker) onMarkerClick?.(marker)
  }
  return (
    <MapPicture
      key={String(dark)}
      {...props}
      markers={placed}
      onMarkerClick={clicked}
      {...(editable && { editable: { value: chosen, onChange: changed } })}
      dark={dark}
    />
  )
}

function MapPicture({ label, markers, onMarkerClick, editable, dark }: PointMapProps & { dark: boolean }) {
  const host = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(null)
  const redraw = useRef<() => void>(null)
  const latest = useRef({ onMarkerClick, editable })
  latest.current = { onMarkerClick, editable }
  const clusters = useMemo(() => makeClusters(markers), [markers])
  const chosen = editable?.value
  const { scope, choose } = useMapScope()
  const first = useRef(firstView(chosen ? [chosen, ...markers] : markers, scope))

  useEffect(() => {
    const node = host.current
    if (!node) return
    // A tab that hides while the map loads leaves no room: ECharts cannot turn a map of no size around.
    const roomOf = () => ({ width: node.clientWidth || 1, height: node.clientHeight || 1 })
    const made = init(node, null, roomOf())
    chart.current = made
    made.setOption(mapOption(dark, label, first.current))
    made.on('click', (params) => {
      const item = (params.data as { item?: MapItem } | undefined)?.item
      if (item?.kind === 'marker') latest.current.onMarkerClick?.(item.marker)
    })
    made.getZr().on('click', ({ offsetX, offsetY }) => {
      const place = placeAt(made, offsetX, offsetY)
      if (place) latest.current.editable?.onChange(place)
    })
    const watch = new ResizeObserver(() => made.resize(roomOf()))
    watch.observe(node)
    return () => {
      watch.disconnect()
      made.dispose()
      chart.current = null
    }
  }, [dark, label])

  useEffect(() => {
    const made = chart.current
    if (!made) return
    const draw = () => {
      const { box, zoom } = viewOf(made)
      made.setOption({ series: placedSeries(clusters.at(box, zoom), chosen, dark) })
    }
    draw()
    redraw.current = draw
    made.on('georoam', draw)
    return () => {
      made.off('georoam', draw)
    }
  }, [clusters, chosen, dark])

  const show = (next: MapScope) => {
    choose(next)
    chart.current?.setOption({ geo: wholeOf[next] })
    redraw.current?.()
  }

  const move = (event: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-keyStep, 0],
      ArrowRight: [keyStep, 0],
      ArrowUp: [0, -keyStep],
      ArrowDown: [0, keyStep],
    }
    const step = steps[event.key]
    const made = chart.current
    if (!step || !made || !editable?.value) return
    event.preventDefault()
    const [x = 0, y = 0] = pixelOf(made, editable.value)
    const place = placeAt(made, x + step[0], y + step[1])
    if (place) editable.onChange(place)
  }

  return (
    <>
      <div
        ref={host}
        className={editable ? 'point-map-canvas point-map-choose' : 'point-map-canvas'}
        role="img"
        aria-label={label}
      />
      <MapSwitch
        scope={scope}
        onChange={show}
        className="point-map-switch absolute bordered round-6 container-fill main-text"
      />
      {editable && (
        <button
          type="button"
          className="point-map-keys absolute bordered round-6 container-fill main-text"
          onKeyDown={move}
        >
          {t('方向键移动位置')}
        </button>
      )}
    </>
  )
}

import { useEffect, useRef } from 'react'
import type { PointMapProps } from './map-props.ts'
import { useMapScope } from './map-scope.ts'
import { type ProviderApi, type ProviderMap, providerWhole } from './provider.ts'

const placeZoom = 15

type Choice = NonNullable<PointMapProps['editable']>
interface Drawn {
  markers: PointMapProps['markers']
  chosen: Choice['value']
  onMarker(marker: PointMapProps['markers'][number]): void
  onChosen: Choice['onChange']
}

function draw(api: ProviderApi, map: ProviderMap, { markers, chosen, onMarker, onChosen }: Drawn): void {
  map.clearOverlays()
  for (const marker of markers) {
    const overlay = new api.Marker(new api.Point(marker.longitude, marker.latitude))
    overlay.setTitle?.(marker.text)
    overlay.addEventListener('click', () => onMarker(marker))
    map.addOverlay(overlay)
  }
  if (!chosen) return
  const pin = new api.Marker(new api.Point(chosen.longitude, chosen.latitude))
  pin.enableDragging?.()
  pin.addEventListener('dragend', ({ point }) => onChosen({ longitude: point.lng, latitude: point.lat }))
  map.addOverlay(pin)
}

/** The provider's map in place of the bundled one; positions are BD09 on both sides (http-api.md 1). */
export function ProviderMapView({ api, ...props }: PointMapProps & { api: ProviderApi }) {
  const host = useRef<HTMLDivElement>(null)
  const map = useRef<ProviderMap>(null)
  const latest = useRef(props)
  const { scope } = useMapScope()
  const whole = useRef(providerWhole[scope])
  latest.current = props

  useEffect(() => {
    if (!host.current) return
    const made = new api.Map(host.current)
    map.current = made
    made.enableScrollWheelZoom(true)
    const { markers, editable } = latest.current
    const points = [...markers, ...(editable?.value ? [editable.value] : [])].map(
      (point) => new api.Point(point.longitude, point.latitude),
    )
    const [only] = points
    if (points.length > 1) made.setViewport(points)
    else made.centerAndZoom(only ?? new api.Point(...whole.current.center), only ? placeZoom : whole.current.zoom)
    made.addEventListener('click', ({ point }) =>
      latest.current.editable?.onChange({ longitude: point.lng, latitude: point.lat }),
    )
  }, [api])

  const { markers, editable } = props
  const chosen = editable?.value
  useEffect(() => {
    if (!map.current) return
    draw(api, map.current, {
      markers,
      chosen,
      onMarker: (marker) => latest.current.onMarkerClick?.(marker),
      onChosen: (point) => latest.current.editable?.onChange(point),
    })
  }, [api, markers, chosen])

  return <div ref={host} className="point-map-canvas" role="img" aria-label={props.label} />
}

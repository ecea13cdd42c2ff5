/** The provider's map instead of the bundled outlines (spec 7): the same clusters as markers of its own. */

import type { HomeCluster } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useMapScope } from '#kit/map/map-scope.ts'
import { type ProviderApi, type ProviderMap, type ProviderPoint, providerWhole } from '#kit/map/provider.ts'
import { deviceDetailPath } from '#kit/paths.ts'
import { clusterWords } from './cluster-words.ts'
import { donutPicture, donutSize } from './donut-picture.ts'
import type { Asked, MapProps } from './view.ts'

/** What we use beyond the map of a single device; older versions of the script may lack a part. */
interface RichMap extends ProviderMap {
  getZoom?(): number
  getBounds?(): { getSouthWest(): ProviderPoint; getNorthEast(): ProviderPoint }
}
interface RichApi extends Omit<ProviderApi, 'Marker'> {
  Marker: new (point: ProviderPoint, options?: { icon: unknown }) => InstanceType<ProviderApi['Marker']>
  Icon?: new (url: string, size: unknown) => unknown
  Size?: new (width: number, height: number) => unknown
}

const countryZoom = providerWhole.china.zoom
const mostZoom = 18

function asked(map: RichMap): Asked {
  const bounds = map.getBounds?.()
  const zoom = Math.min(mostZoom, Math.max(0, Math.round(map.getZoom?.() ?? countryZoom)))
  if (!bounds) return { box: [-180, -90, 180, 90], zoom }
  const [low, high] = [bounds.getSouthWest(), bounds.getNorthEast()]
  const within = (value: number, most: number) => Math.min(most, Math.max(-most, value))
  return { box: [within(low.lng, 180), within(low.lat, 90), within(high.lng, 180), within(high.lat, 90)], zoom }
}

function markerOf(api: RichApi, cluster: HomeCluster, largest: number) {
  const point = new api.Point(cluster.longitude, cluster.latitude)
  if (!api.Icon || !api.Size) return new api.Marker(point)
  const size = donutSize(cluster, largest)
  return new api.Marker(point, {
    icon: new api.Icon(donutPicture(cluster, size), new api.Size(size, size)),
  })
}

export function ProviderClusters({ api: given, clusters, onAsk, target, listPath }: MapProps & { api: ProviderApi }) {
  const api = given as unknown as RichApi
  const host = useRef<HTMLDivElement>(null)
  const map = useRef<RichMap>(null)
  const navigate = useNavigate()
  const { scope } = useMapScope()
  const whole = useRef(providerWhole[scope])

  useEffect(() => {
    if (!host.current) return
    const made: RichMap = new api.Map(host.current)
    map.current = made
    made.enableScrollWheelZoom(true)
    made.centerAndZoom(new api.Point(...whole.current.center), whole.current.zoom)
    const moved = () => onAsk(asked(made))
    made.addEventListener('moveend', moved)
    made.addEventListener('zoomend', moved)
    moved()
  }, [api, onAsk])

  useEffect(() => {
    if (target) map.current?.centerAndZoom(new api.Point(...target.place), countryZoom + 4)
  }, [api, target])

  useEffect(() => {
    const shown = map.current
    if (!shown) return
    shown.clearOverlays()
    const largest = Math.max(1, ...clusters.map(({ total }) => total))
    for (const cluster of clusters) {
      const marker = markerOf(api, cluster, largest)
      marker.setTitle?.(clusterWords(cluster))
      marker.addEventListener('click', () => {
        const zoom = shown.getZoom?.() ?? countryZoom
        if (cluster.deviceName) void navigate(deviceDetailPath(cluster))
        else if (zoom >= mostZoom) void navigate(listPath)
        else shown.centerAndZoom(new api.Point(cluster.longitude, cluster.latitude), Math.min(mostZoom, zoom + 2))
      })
      shown.addOverlay(marker)
    }
  }, [api, clusters, navigate, listPath])

  return (
    <div className="home-map-canvas">
      <div ref={host} className="home-map-stage relative clip" role="img" aria-label={t('设备分布地图')} />
    </div>
  )
}

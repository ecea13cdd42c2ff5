import { t } from '@ithings/contract/text.ts'
import { lazy, Suspense } from 'react'
import './point-map.css'
import type { PointMapProps } from './map-props.ts'

import { providerApi } from './provider.ts'
import { ProviderMapView } from './provider-map.tsx'

const Canvas = lazy(() => import('./point-map-canvas.tsx').then((module) => ({ default: module.PointMapCanvas })))

/**
 * The bundled map: provinces and countries as outlines, zoom, clusters, no network (decisions.md 4.5);
 * the provider's map when an access key brought its script (spec 7).
 */
export function PointMap(props: PointMapProps) {
  const api = providerApi()
  if (api) {
    return (
      <div className="point-map boxed relative clip" style={{ height: props.height }}>
        <ProviderMapView {...props} api={api} />
      </div>
    )
  }
  return (
    <div className="point-map boxed relative clip" style={{ height: props.height }}>
      <Suspense
        fallback={
          <div className="point-map-wait" role="status" aria-label={t('{label}加载中', { label: props.label })} />
        }
      >
        <Canvas {...props} />
      </Suspense>
    </div>
  )
}

import { lazy, Suspense } from 'react'
import './point-map.css'
import type { PointMapProps } from './map-props.ts'

const Canvas = lazy(() => import('./point-map-canvas.tsx').then((module) => ({ default: module.PointMapCanvas })))

/** The bundled map: provinces and countries as outlines, zoom, clusters, no network (decisions.md 4.5). */
export function PointMap(props: PointMapProps) {
  return (
    <div className="point-map" style={{ height: props.height }}>
      <Suspense fallback={<div className="point-map-wait" role="status" aria-label={`${props.label}加载中`} />}>
        <Canvas {...props} />
      </Suspense>
    </div>
  )
}

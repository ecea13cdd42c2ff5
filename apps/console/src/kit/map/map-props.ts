import type { StatusTone } from '../status-tag.tsx'

export interface MapPoint {
  longitude: number
  latitude: number
}

export interface MapMarker extends MapPoint {
  id: string
  tone: StatusTone
  /** Shown beside the marker on hover. */
  text: string
}

export interface PointMapProps {
  height: number
  /** What the map shows, for those who cannot see it. */
  label: string
  markers: readonly MapMarker[]
  onMarkerClick?: (marker: MapMarker) => void
  /** Choosing a place: a click or the arrow keys move the marker. */
  editable?: { value: MapPoint | undefined; onChange(point: MapPoint): void }
}

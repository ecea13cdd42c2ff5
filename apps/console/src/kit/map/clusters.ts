/** Markers that lie too near to each other become one with a count. */
import Supercluster from 'supercluster'
import type { MapMarker } from './map-props.ts'

export interface MapBox {
  west: number
  south: number
  east: number
  north: number
}

export type MapItem =
  | { kind: 'marker'; marker: MapMarker }
  | { kind: 'cluster'; id: number; longitude: number; latitude: number; count: number; tones: Record<string, number> }

type Tally = { tones: Record<string, number> }

export function makeClusters(markers: readonly MapMarker[]) {
  const index = new Supercluster<{ marker: MapMarker }, Tally>({
    radius: 44,
    maxZoom: 16,
    map: ({ marker }) => ({ tones: { [marker.tone]: 1 } }),
    reduce: (into, from) => {
      into.tones = { ...into.tones }
      for (const [tone, count] of Object.entries(from.tones)) into.tones[tone] = (into.tones[tone] ?? 0) + count
    },
  })
  index.load(
    markers.map((marker) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [marker.longitude, marker.latitude] },
      properties: { marker },
    })),
  )
  return {
    at(box: MapBox, zoom: number): MapItem[] {
      const found = index.getClusters([box.west, box.south, box.east, box.north], Math.max(0, Math.floor(zoom)))
      return found.map(({ geometry, properties }): MapItem => {
        if (!('cluster' in properties)) return { kind: 'marker', marker: properties.marker }
        const [longitude = 0, latitude = 0] = geometry.coordinates
        const { cluster_id: id, point_count: count, tones } = properties
        return { kind: 'cluster', id, longitude, latitude, count, tones }
      })
    },
    /** The zoom at which a cluster falls apart. */
    opensAt: (id: number): number => index.getClusterExpansionZoom(id),
  }
}

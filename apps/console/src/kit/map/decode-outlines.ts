/** Outlines for the offline map: provinces of China as packed by Apache ECharts, the other countries from world-atlas. */

type Position = number[]
interface Polygon {
  type: 'Polygon'
  coordinates: Position[][]
}
interface MultiPolygon {
  type: 'MultiPolygon'
  coordinates: Position[][][]
}
interface Shape<Properties> {
  type: 'Feature'
  id?: string | number
  properties: Properties
  geometry: Polygon | MultiPolygon
}

interface PackedGeometry {
  type: 'Polygon' | 'MultiPolygon'
  coordinates: string[] | string[][]
  encodeOffsets: Position[] | Position[][]
}
export interface PackedCollection {
  features: Array<{ properties: { name: string; cp?: number[] }; geometry: PackedGeometry }>
}
export type Outline = Shape<{ name: string; cp?: number[] }>

const scale = 1024

/** Each point is a zigzag-coded step from the one before; two characters a point. */
function decodeRing(text: string, [startX = 0, startY = 0]: Position): Position[] {
  const ring: Position[] = []
  let x = startX
  let y = startY
  const step = (index: number) => {
    const code = text.charCodeAt(index) - 64
    return (code >> 1) ^ -(code & 1)
  }
  for (let index = 0; index < text.length; index += 2) {
    x += step(index)
    y += step(index + 1)
    ring.push([x / scale, y / scale])
  }
  return ring
}

const decodePolygon = (rings: string[], offsets: Position[]): Position[][] =>
  rings.map((ring, index) => decodeRing(ring, offsets[index] ?? [0, 0]))

export function unpackOutlines(packed: PackedCollection): Outline[] {
  return packed.features.map(({ properties, geometry }) => ({
    type: 'Feature',
    properties,
    geometry:
      geometry.type === 'Polygon'
        ? {
            type: 'Polygon',
            coordinates: decodePolygon(geometry.coordinates as string[], geometry.encodeOffsets as Position[]),
          }
        : {
            type: 'MultiPolygon',
            coordinates: (geometry.coordinates as string[][]).map((rings, index) =>
              decodePolygon(rings, (geometry.encodeOffsets as Position[][])[index] ?? []),
            ),
          },
  }))
}

/** World-atlas ids of what the provinces cover already. */
const coveredByProvinces = new Set(['156', '158'])

export const mergeOutlines = (
  provinces: Outline[],
  countries: Array<Shape<{ name: string }>>,
): { type: 'FeatureCollection'; features: Array<Shape<{ name: string }>> } => ({
  type: 'FeatureCollection',
  features: [...countries.filter((country) => !coveredByProvinces.has(String(country.id))), ...provinces],
})

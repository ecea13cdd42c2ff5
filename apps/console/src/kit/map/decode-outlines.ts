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

/** The part of a ring on one side of a meridian. */
function sideOf(ring: Position[], at: number, west: boolean): Position[] {
  const inside = ([x = 0]: Position) => (west ? x <= at : x >= at)
  return ring.flatMap((point, index) => {
    const before = ring[index - 1]
    if (!before || inside(before) === inside(point)) return inside(point) ? [point] : []
    const [[ax = 0, ay = 0], [bx = 0, by = 0]] = [before, point]
    const crossing = [at, ay + ((by - ay) * (at - ax)) / (bx - ax)]
    return inside(point) ? [crossing, point] : [crossing]
  })
}

/**
 * A ring that steps across the date line would be drawn as a band around the world: it is cut there in two. One that
 * goes around a pole stays as it is.
 */
export function cutAtDateLine(ring: Position[]): Position[][] {
  let turn = 0
  const whole = ring.map(([x = 0, y = 0], index) => {
    const step = x - (ring[index - 1]?.[0] ?? x)
    if (Math.abs(step) > 180) turn -= Math.sign(step) * 360
    return [x + turn, y]
  })
  const edge = Math.max(...whole.map(([x = 0]) => x)) > 180 ? 180 : -180
  if (turn !== 0 || whole.every(([x], index) => x === ring[index]?.[0])) return [ring]
  const shift = edge === 180 ? -360 : 360
  const parts = [
    sideOf(whole, edge, edge === 180),
    sideOf(whole, edge, edge === -180).map(([x = 0, y = 0]) => [x + shift, y]),
  ]
  return parts.filter((part) => part.length > 2).map((part) => [...part, part[0] as Position])
}

const cutShape = <T>(shape: Shape<T>): Shape<T> => {
  const polygons = shape.geometry.type === 'Polygon' ? [shape.geometry.coordinates] : shape.geometry.coordinates
  // Those that are cut have no holes.
  const cut = polygons.flatMap((rings) => {
    const parts = rings.flatMap(cutAtDateLine)
    return parts.length === rings.length ? [rings] : parts.map((part) => [part])
  })
  return { ...shape, geometry: { type: 'MultiPolygon', coordinates: cut } }
}

/** World-atlas ids of what the provinces cover already. */
const coveredByProvinces = new Set(['156', '158'])

export const mergeOutlines = (
  provinces: Outline[],
  countries: Array<Shape<{ name: string }>>,
): { type: 'FeatureCollection'; features: Array<Shape<{ name: string }>> } => ({
  type: 'FeatureCollection',
  features: [...countries.filter((country) => !coveredByProvinces.has(String(country.id))).map(cutShape), ...provinces],
})

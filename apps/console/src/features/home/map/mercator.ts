/** Mercator's projection for the world: shapes stay true at every zoom. Pure. */
import type { Degrees, Flat } from './albers.ts'

const radians = Math.PI / 180
/** The poles lie infinitely far; the map ends here, as all maps of this kind do. */
const mostLatitude = 85

const clamp = (value: number, most: number) => Math.min(most, Math.max(-most, value))

export const project = ([longitude, latitude]: Degrees): Flat => [
  longitude * radians,
  -Math.asinh(Math.tan(clamp(latitude, mostLatitude) * radians)),
]

/** Places beyond the edge of the world become its edge. */
export const unproject = ([x, y]: Flat): Degrees => [
  clamp(x / radians, 180),
  clamp(Math.atan(Math.sinh(-y)) / radians, mostLatitude),
]

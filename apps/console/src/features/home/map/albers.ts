/** Albers equal-area projection for China (look.md "Map"): parallels 25 and 47 north around 105 east. Pure. */

/** Degrees: longitude, latitude. */
export type Degrees = readonly [number, number]
/** Of the flat map, y downwards; one unit is the radius of the earth. */
export type Flat = readonly [number, number]

const radians = Math.PI / 180
const south = 25 * radians
const north = 47 * radians
const middle = 105
const n = (Math.sin(south) + Math.sin(north)) / 2
const c = Math.cos(south) ** 2 + 2 * n * Math.sin(south)
const rhoOf = (latitude: number) => Math.sqrt(Math.max(0, c - 2 * n * Math.sin(latitude * radians))) / n
const rhoOfOrigin = rhoOf(0)

/** Longitudes are not folded around the middle: the map is cut at 180 degrees, as its outlines are. */
export function project([longitude, latitude]: Degrees): Flat {
  const theta = n * (longitude - middle) * radians
  const rho = rhoOf(latitude)
  return [rho * Math.sin(theta), rho * Math.cos(theta) - rhoOfOrigin]
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** Places beyond the edge of the world become its edge. */
export function unproject([x, y]: Flat): Degrees {
  const down = y + rhoOfOrigin
  const rho = Math.hypot(x, down)
  const longitude = middle + Math.atan2(x, down) / n / radians
  const sine = clamp((c - (rho * n) ** 2) / (2 * n), -1, 1)
  return [clamp(longitude, -180, 180), Math.asin(sine) / radians]
}

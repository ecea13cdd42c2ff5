/** Devices around a point: a box that the index understands, then the distance on the sphere. */
import type { Point } from '@ithings/contract/wire.ts'
import { type RawBuilder, sql } from 'kysely'

const earthRadius = 6_371_008.8
const degrees = (radians: number) => (radians * 180) / Math.PI
const radians = (angle: number) => (angle * Math.PI) / 180

/** A range that crosses the date line is two ranges; one that reaches a pole has every longitude. */
function longitudes({ longitude, latitude }: Point, angle: number): RawBuilder<boolean> {
  const reachesPole = Math.abs(latitude) + degrees(angle) >= 90
  if (reachesPole) return sql<boolean>`true`
  const width = degrees(Math.asin(Math.min(1, Math.sin(angle) / Math.cos(radians(latitude)))))
  const [west, east] = [longitude - width, longitude + width]
  if (west < -180) return sql<boolean>`(longitude >= ${west + 360} or longitude <= ${east})`
  if (east > 180) return sql<boolean>`(longitude >= ${west} or longitude <= ${east - 360})`
  return sql<boolean>`longitude between ${west} and ${east}`
}

/** http-api.md 4.2: metres around a BD09 position. A device without a position (0, 0) is nowhere. */
export function withinRange(center: Point, metres: number): RawBuilder<boolean> {
  const angle = metres / earthRadius
  const height = degrees(angle)
  const { longitude, latitude } = center
  return sql<boolean>`(longitude <> 0 or latitude <> 0)
    and latitude between ${latitude - height} and ${latitude + height}
    and ${longitudes(center, angle)}
    and 2 * asin(least(1, sqrt(
      sin(radians(latitude - ${latitude}) / 2) ^ 2
      + cos(radians(${latitude})) * cos(radians(latitude)) * sin(radians(longitude - ${longitude}) / 2) ^ 2
    ))) <= ${angle}`
}

/**
 * Chinese coordinate systems. Devices measure WGS84, Chinese maps shift it to GCJ02, and Baidu shifts that again to BD09,
 * in which the platform keeps positions (http-api.md 4.1).
 */
export const coordinateSystems = ['WGS84', 'GCJ02', 'BD09'] as const
export type CoordinateSystem = (typeof coordinateSystems)[number]

interface Place {
  longitude: number
  latitude: number
}

// The Krasovsky ellipsoid, on which the shift is defined.
const semiMajorAxis = 6_378_245
const eccentricitySquared = 0.006_693_421_622_965_823
const baiduTurn = (Math.PI * 3000) / 180
const { abs, atan2, cos, PI, sin, sqrt } = Math

/** Outside of China nothing is shifted. */
const outsideChina = ({ longitude, latitude }: Place): boolean =>
  longitude < 72.004 || longitude > 137.8347 || latitude < 0.8293 || latitude > 55.8271

const wave = (x: number): number => ((20 * sin(6 * x * PI) + 20 * sin(2 * x * PI)) * 2) / 3

function latitudeShift(x: number, y: number): number {
  const base = -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * sqrt(abs(x))
  const slow = ((20 * sin(y * PI) + 40 * sin((y / 3) * PI)) * 2) / 3
  const slower = ((160 * sin((y / 12) * PI) + 320 * sin((y * PI) / 30)) * 2) / 3
  return base + wave(x) + slow + slower
}

function longitudeShift(x: number, y: number): number {
  const base = 300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * sqrt(abs(x))
  const slow = ((20 * sin(x * PI) + 40 * sin((x / 3) * PI)) * 2) / 3
  const slower = ((150 * sin((x / 12) * PI) + 300 * sin((x / 30) * PI)) * 2) / 3
  return base + wave(x) + slow + slower
}

export function wgs84ToGcj02(place: Place): Place {
  if (outsideChina(place)) return place
  const { longitude, latitude } = place
  const radians = (latitude / 180) * PI
  const magic = 1 - eccentricitySquared * sin(radians) ** 2
  const root = sqrt(magic)
  const up = latitudeShift(longitude - 105, latitude - 35)
  const right = longitudeShift(longitude - 105, latitude - 35)
  return {
    longitude: longitude + (right * 180) / ((semiMajorAxis / root) * cos(radians) * PI),
    latitude: latitude + (up * 180) / (((semiMajorAxis * (1 - eccentricitySquared)) / (magic * root)) * PI),
  }
}

export function gcj02ToBd09({ longitude: x, latitude: y }: Place): Place {
  const distance = sqrt(x * x + y * y) + 0.00002 * sin(y * baiduTurn)
  const angle = atan2(y, x) + 0.000003 * cos(x * baiduTurn)
  return { longitude: distance * cos(angle) + 0.0065, latitude: distance * sin(angle) + 0.006 }
}

/** There is no closed form: what is missing to the way there is taken off, which gains three digits a turn. */
export function bd09ToGcj02(place: Place): Place {
  let found = place
  for (let turn = 0; turn < 6; turn++) {
    const there = gcj02ToBd09(found)
    found = {
      longitude: found.longitude + place.longitude - there.longitude,
      latitude: found.latitude + place.latitude - there.latitude,
    }
  }
  return found
}

export function toBd09(place: Place, system: CoordinateSystem): Place {
  if (system === 'BD09') return place
  return gcj02ToBd09(system === 'WGS84' ? wgs84ToGcj02(place) : place)
}

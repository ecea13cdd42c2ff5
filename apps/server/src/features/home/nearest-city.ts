import { cities } from './cities.ts'

const farthestKm = 100
const kmPerDegree = 111.2
const earthKm = 6371
const radians = (angle: number) => (angle * Math.PI) / 180

/** On the sphere. */
function distanceKm(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const half =
    Math.sin(radians(lat2 - lat1) / 2) ** 2 +
    Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * Math.sin(radians(lon2 - lon1) / 2) ** 2
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** The nearest city within 100 km, by its Chinese name; '': none. */
export function nearestCity(longitude: number, latitude: number): string {
  let name = ''
  let nearest = farthestKm
  for (const city of cities) {
    if (Math.abs(city.latitude - latitude) * kmPerDegree > nearest) continue
    const distance = distanceKm(longitude, latitude, city.longitude, city.latitude)
    if (distance > nearest) continue
    nearest = distance
    name = city.name
  }
  return name
}

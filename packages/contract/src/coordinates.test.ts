import { expect, test } from 'vitest'
import { bd09ToGcj02, gcj02ToBd09, toBd09 } from './coordinates.ts'

/** Computed with gcoord 1.0.7, an independent implementation. */
const vectors = [
  [116.397128, 39.916527, 116.40973933698186, 39.92426929401509, 116.40349519827029, 39.922867311092325],
  [121.4737, 31.2304, 121.484781468503, 31.234310593689997, 121.48023740342614, 31.236334819793708],
  [87.6177, 43.7928, 87.6269813254592, 43.80014663419902, 87.62411453192058, 43.798954530593676],
  // Outside of China WGS84 and GCJ02 are the same.
  [-73.9857, 40.7484, -73.97907569950418, 40.754608036681965, -73.97907569950418, 40.754608036681965],
] as const

test.each(vectors)('%d, %d is moved as an independent implementation moves it', (longitude, latitude, ...moved) => {
  const place = { longitude, latitude }
  const fromWgs84 = toBd09(place, 'WGS84')
  const fromGcj02 = toBd09(place, 'GCJ02')
  const found = [fromWgs84.longitude, fromWgs84.latitude, fromGcj02.longitude, fromGcj02.latitude]
  for (const [i, value] of found.entries()) expect(value).toBeCloseTo(moved[i] ?? 0, 9)
})

test.each(vectors)('%d, %d comes back from BD09 as it went there', (longitude, latitude, _x, _y, east, north) => {
  const back = bd09ToGcj02({ longitude: east, latitude: north })
  expect(back.longitude).toBeCloseTo(longitude, 9)
  expect(back.latitude).toBeCloseTo(latitude, 9)
  const again = gcj02ToBd09(back)
  expect(again.longitude).toBeCloseTo(east, 9)
  expect(again.latitude).toBeCloseTo(north, 9)
})

test('BD09 stays where it is', () => {
  expect(toBd09({ longitude: 116.4, latitude: 39.9 }, 'BD09')).toEqual({ longitude: 116.4, latitude: 39.9 })
})

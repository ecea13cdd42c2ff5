import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chineseCities } from './chinese-cities.ts'
import { cities, cityIn } from './cities.ts'
import { type Box, baseLevel, degreesOf, levelFor, middleOf, rangesOf } from './map-grid.ts'
import { nearestCity } from './nearest-city.ts'
import { worldCities } from './world-cities.ts'

/** Ten centimetres, as positions are given. */
const longitude = fc.integer({ min: -180e6, max: 180e6 }).map((value) => value / 1e6)
const latitude = fc.integer({ min: -90e6, max: 90e6 }).map((value) => value / 1e6)
const box = fc
  .tuple(longitude, latitude, longitude, latitude)
  .map(([west, a, east, b]): Box => [west, Math.min(a, b), east, Math.max(a, b)])

test('no box at any zoom has more cells than an answer may have clusters', () => {
  fc.assert(
    fc.property(box, fc.integer({ min: 0, max: 18 }), (one, zoom) => {
      const cells = rangesOf(one, levelFor(one, zoom)).map((r) => (r.east - r.west + 1) * (r.north - r.south + 1))
      expect(cells.every((count) => count > 0)).toBe(true)
      expect(cells.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(2_000)
    }),
  )
})

test('every place of a box lies in one of its ranges, across the date line too', () => {
  const ofBox = ([west, south, east, north]: Box, x: number, y: number) =>
    y >= south && y <= north && (west <= east ? x >= west && x <= east : x >= west || x <= east)
  fc.assert(
    fc.property(box, fc.integer({ min: 0, max: 20 }), longitude, latitude, (one, level, x, y) => {
      fc.pre(ofBox(one, x, y))
      const inside = rangesOf(one, level)
        .map((range) => degreesOf(range, level))
        .some((d) => x >= d.west && x < d.east && y >= d.south && y < d.north)
      expect(inside).toBe(true)
    }),
  )
})

test('a box across the date line is two ranges, one around the world is one', () => {
  expect(rangesOf([170, -10, -170, 10], baseLevel)).toHaveLength(2)
  expect(rangesOf([-180, -90, 180, 90], baseLevel)).toEqual([{ west: 0, south: 0, east: 1023, north: 511 }])
  expect(levelFor([-180, -90, 180, 90], 18)).toBe(5)
})

test('the middle of a cell is in it', () => {
  const { longitude: east, latitude: north } = middleOf({ x: 0, y: 0 })
  expect(rangesOf([east, north, east, north], baseLevel)).toEqual([{ west: 0, south: 0, east: 0, north: 0 }])
})

test('places are named by the nearest city within 100 km, far ones not at all', () => {
  expect(nearestCity(121.5, 31.2)).toBe('上海')
  expect(nearestCity(116.3, 40.05)).toBe('北京')
  expect(nearestCity(87.6, 43.8)).toBe('乌鲁木齐')
  expect(nearestCity(90, 37)).toBe('')
  expect(nearestCity(-30, 51)).toBe('')
  expect(nearestCity(0, 51.2)).toBe('伦敦')
  expect(nearestCity(174.7, -36.9)).toBe('奥克兰')
  // On this side of a border that runs near a city of the other.
  expect(nearestCity(134.3, 48.4)).toBe('抚远')
})

const list = [chineseCities, worldCities].map((table) => table.trim().split(/,\s*/).length)

test('the list of cities is whole: over 340 of China, each where China is, and over 300 of the world', () => {
  expect(list[0]).toBeGreaterThan(340)
  expect(list[1]).toBeGreaterThan(300)
  expect(cities).toHaveLength((list[0] ?? 0) + (list[1] ?? 0))
  for (const { name, longitude: east, latitude: north } of cities.slice(0, list[0])) {
    expect(name).toMatch(/^\p{Script=Han}{2,5}$/u)
    expect(east).toBeGreaterThan(73)
    expect(east).toBeLessThan(135.1)
    expect(north).toBeGreaterThan(3)
    expect(north).toBeLessThan(53.6)
  }
  for (const { name, longitude: east, latitude: north } of cities.slice(list[0])) {
    expect(name).toMatch(/^\p{Script=Han}{2,}/u)
    expect(Math.abs(east)).toBeLessThanOrEqual(180)
    expect(Math.abs(north)).toBeLessThan(70)
  }
})

test('every city has a name in both languages, and no two the same: the console joins places by their names', () => {
  for (const { english } of cities) expect(english).toMatch(/^[\p{Script=Latin} '().-]+$/u)
  for (const name of ['name', 'english'] as const) {
    const names = cities.map((city) => city[name])
    expect(names.filter((one, at) => names.indexOf(one) !== at)).toEqual([])
  }
  expect(cityIn('en', '乌鲁木齐')).toBe('Urumqi')
  expect(cityIn('zh', '乌鲁木齐')).toBe('乌鲁木齐')
  expect(cityIn('en', '')).toBe('')
})

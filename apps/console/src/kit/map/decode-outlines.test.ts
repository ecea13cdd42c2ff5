import { feature } from 'topojson-client'
import { expect, test } from 'vitest'
import world from 'world-atlas/countries-110m.json' with { type: 'json' }
import china from './china-provinces.json' with { type: 'json' }
import { cutAtDateLine, mergeOutlines, type PackedCollection, unpackOutlines } from './decode-outlines.ts'

const provinces = unpackOutlines(china as unknown as PackedCollection)

const pointsOf = (name: string): number[][] => {
  const outline = provinces.find((province) => province.properties.name === name)
  if (!outline) throw new Error(`${name} is missing`)
  const { geometry } = outline
  return (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates).flat(2)
}

test('all 34 provinces are there', () => {
  expect(new Set(provinces.map((province) => province.properties.name)).size).toBeGreaterThanOrEqual(34)
})

test('a decoded province lies where it lies', () => {
  const beijing = pointsOf('北京')
  for (const [longitude = 0, latitude = 0] of beijing) {
    expect(longitude).toBeGreaterThan(115)
    expect(longitude).toBeLessThan(118)
    expect(latitude).toBeGreaterThan(39)
    expect(latitude).toBeLessThan(41.5)
  }
})

test('the world around has no second China', () => {
  const topology = world as unknown as Parameters<typeof feature>[0]
  const countries = feature(topology, topology.objects.countries as never) as unknown as {
    features: Parameters<typeof mergeOutlines>[1]
  }
  const merged = mergeOutlines(provinces, countries.features)
  const names = merged.features.map((one) => one.properties.name)
  expect(names).not.toContain('China')
  expect(names).not.toContain('Taiwan')
  expect(names).toContain('Japan')
  expect(names.length).toBeGreaterThan(200)
})

test('a ring across the date line becomes two, one at each edge of the map; others stay', () => {
  const across = [
    [170, 60],
    [-170, 60],
    [-170, 70],
    [170, 70],
    [170, 60],
  ]
  const [east = [], west = [], ...more] = cutAtDateLine(across)
  expect(more).toEqual([])
  expect(new Set(east.map(([x]) => x))).toEqual(new Set([170, 180]))
  expect(new Set(west.map(([x]) => x))).toEqual(new Set([-180, -170]))
  const plain = [
    [10, 10],
    [20, 10],
    [20, 20],
    [10, 10],
  ]
  expect(cutAtDateLine(plain)).toEqual([plain])
})

test('no country is drawn around the world, except the one around the pole', () => {
  const topology = world as unknown as Parameters<typeof feature>[0]
  const countries = feature(topology, topology.objects.countries as never) as unknown as {
    features: Parameters<typeof mergeOutlines>[1]
  }
  const wide = mergeOutlines([], countries.features).features.filter(({ geometry }) =>
    (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates).some(([ring = []]) =>
      ring.some(([x = 0], index) => Math.abs(x - (ring[index - 1]?.[0] ?? x)) > 180),
    ),
  )
  expect(wide.map(({ properties }) => properties.name).filter((name) => name !== 'Antarctica')).toEqual([])
})

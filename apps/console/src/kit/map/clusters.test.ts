import { expect, test } from 'vitest'
import { makeClusters } from './clusters.ts'
import type { MapMarker } from './map-props.ts'

const world = { west: -180, south: -85, east: 180, north: 85 }
const marker = (id: string, longitude: number, latitude: number, tone: MapMarker['tone'] = 'success'): MapMarker => ({
  id,
  longitude,
  latitude,
  tone,
  text: id,
})

test('near markers become one cluster that counts its states, far ones stay alone', () => {
  const clusters = makeClusters([
    marker('a', 116.4, 39.9),
    marker('b', 116.5, 39.9, 'error'),
    marker('c', 116.4, 39.8),
    marker('d', 121.5, 31.2),
  ])
  const items = clusters.at(world, 5)
  const cluster = items.find((item) => item.kind === 'cluster')
  expect(cluster).toMatchObject({ count: 3, tones: { success: 2, error: 1 } })
  expect(items.filter((item) => item.kind === 'marker')).toHaveLength(1)
})

test('a cluster falls apart at the zoom it names', () => {
  const clusters = makeClusters([marker('a', 116.4, 39.9), marker('b', 116.5, 39.9)])
  const [first] = clusters.at(world, 3)
  if (first?.kind !== 'cluster') throw new Error('expected a cluster')
  expect(clusters.at(world, clusters.opensAt(first.id))).toHaveLength(2)
})

test('only what lies in the box is given', () => {
  const clusters = makeClusters([marker('a', 116.4, 39.9), marker('b', 2.3, 48.8)])
  expect(clusters.at({ west: 100, south: 20, east: 130, north: 50 }, 8)).toHaveLength(1)
})

test('ten thousand markers become few enough to draw', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => marker(String(n), 100 + (n % 100) / 4, 22 + n / 500))
  const items = makeClusters(many).at(world, 4)
  const counted = items.reduce((sum, item) => sum + (item.kind === 'cluster' ? item.count : 1), 0)
  expect(items.length).toBeLessThan(200)
  expect(counted).toBe(10_000)
})

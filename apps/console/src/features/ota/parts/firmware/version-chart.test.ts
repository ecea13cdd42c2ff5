import { expect, test } from 'vitest'
import { versionBars } from './version-chart.tsx'

const list = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ version: `1.${i}.0`, count: 100 - i, online: 1 }))

test('a fleet with few versions shows each of them', () => {
  expect(versionBars(list(8))).toHaveLength(8)
})

test('a fleet with many versions shows the most frequent and the rest as one, and nobody is lost', () => {
  const bars = versionBars(list(20))
  expect(bars).toHaveLength(8)
  expect(bars.at(-1)?.version).toBe('其余 13 个版本')
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(list(20).reduce((sum, { count }) => sum + count, 0))
})

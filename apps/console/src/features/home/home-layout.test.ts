import { expect, test } from 'vitest'
import { homeLayout, layoutStyle } from './home-layout.ts'

test('look.md: the drawn sizes of a wall at 1920 x 1080', () => {
  expect(homeLayout(1920, 1080)).toMatchObject({ mode: 'wide', left: 432, right: 464, total: 60, figure: 34, ring: 25 })
})

test('look.md: the drawn sizes of a desk at 1440 x 900', () => {
  expect(homeLayout(1440, 900)).toMatchObject({ mode: 'wide', left: 316, right: 340, total: 42, figure: 26, ring: 20 })
})

test('twice the wall has everything twice as large', () => {
  expect(homeLayout(3840, 2160)).toMatchObject({ scale: 2, left: 864, total: 120, text: 32 })
})

test('beside an open menu the columns give way and the texts stay', () => {
  const layout = homeLayout(1216, 844)
  expect(layout).toMatchObject({ mode: 'wide', text: 13, meta: 12 })
  expect(layout.left).toBeLessThan(316)
  expect(layout.total).toBeLessThan(42)
})

test('a tablet stacks and a phone has one column', () => {
  expect(homeLayout(1024, 768).mode).toBe('stacked')
  expect(homeLayout(390, 844)).toMatchObject({ mode: 'phone', left: 0, right: 0 })
})

test('a wide but low window keeps the sizes of a desk', () => {
  expect(homeLayout(1920, 800).total).toBe(42)
})

test('sizes reach the style sheet with their unit', () => {
  expect(layoutStyle(homeLayout(1920, 1080))).toMatchObject({ '--home-total': '60px', '--home-scale': '1' })
})

import { createElement, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { ChunkLoadError, chunkTimeout, lazyScreen, withinTime } from './lazy-screen.ts'

afterEach(() => vi.useRealTimers())

test('a part that fails to load raises a chunk error with its cause (spec 8)', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module')
  await expect(withinTime(Promise.reject(cause))).rejects.toMatchObject({ name: 'ChunkLoadError', cause })
})

test('a part that does not come within 120 seconds raises a chunk error (spec 8, 9)', async () => {
  vi.useFakeTimers()
  expect(chunkTimeout).toBe(120_000)
  const refused = expect(withinTime(new Promise(() => undefined))).rejects.toBeInstanceOf(ChunkLoadError)
  await vi.advanceTimersByTimeAsync(chunkTimeout)
  await refused
})

test('a part that comes in time is handed on and leaves no timer behind', async () => {
  vi.useFakeTimers()
  await expect(withinTime(Promise.resolve('screen'))).resolves.toBe('screen')
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('a part that was fetched ahead is drawn at once, without a spinner in between', async () => {
  const Screen = lazyScreen(async () => () => 'here')
  const drawn = () => renderToString(createElement(Suspense, { fallback: 'waiting' }, createElement(Screen)))
  expect(drawn()).toContain('waiting')
  await Screen.ahead()
  expect(drawn()).toContain('here')
  expect(drawn()).not.toContain('waiting')
})

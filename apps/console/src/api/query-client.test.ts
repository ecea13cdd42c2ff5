import { focusManager, type QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeQueryClient } from './query-client.ts'

let client: QueryClient
let reads: number

beforeEach(() => {
  vi.useFakeTimers()
  reads = 0
  client = makeQueryClient()
  client.mount()
})
afterEach(() => {
  client.unmount()
  client.clear()
  focusManager.setFocused(undefined)
  vi.useRealTimers()
})

async function open(): Promise<() => void> {
  const observer = new QueryObserver(client, { queryKey: ['list'], queryFn: () => Promise.resolve(++reads) })
  const close = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  return close
}

async function comeBackAfter(ms: number): Promise<void> {
  focusManager.setFocused(false)
  await vi.advanceTimersByTimeAsync(ms)
  focusManager.setFocused(true)
  await vi.advanceTimersByTimeAsync(0)
}

test('spec 9: a window that gets the focus reads again what is 5000 ms old, and nothing younger', async () => {
  const close = await open()
  expect(reads).toBe(1)
  await comeBackAfter(4999)
  expect(reads).toBe(1)
  await comeBackAfter(1)
  expect(reads).toBe(2)
  close()
})

test('spec 9: what no screen shows any more stays in the cache for 5 minutes', async () => {
  const close = await open()
  close()
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1)
  expect(client.getQueryData(['list'])).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(client.getQueryData(['list'])).toBeUndefined()
})

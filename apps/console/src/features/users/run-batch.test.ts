import { expect, test } from 'vitest'
import { runBatch } from './run-batch.ts'

test('each row gets its own outcome, in the order of the rows, and a refusal does not stop the rest', async () => {
  const seen: number[] = []
  const results = await runBatch(
    [1, 2, 3, 4, 5, 6],
    (n) => (n % 2 ? Promise.resolve() : Promise.reject(new Error(`拒绝 ${n}`))),
    ({ item }) => seen.push(item),
  )
  expect(results.map(({ item, error }) => [item, error instanceof Error ? error.message : undefined])).toEqual([
    [1, undefined],
    [2, '拒绝 2'],
    [3, undefined],
    [4, '拒绝 4'],
    [5, undefined],
    [6, '拒绝 6'],
  ])
  expect(seen.sort()).toEqual([1, 2, 3, 4, 5, 6])
})

test('no more than four calls are open at once', async () => {
  let open = 0
  let most = 0
  const release: Array<() => void> = []
  const all = runBatch(Array.from({ length: 10 }), async () => {
    most = Math.max(most, ++open)
    await new Promise<void>((resolve) => release.push(resolve))
    open--
  })
  while (release.length > 0) {
    release.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await expect(all).resolves.toHaveLength(10)
  expect(most).toBe(4)
})

test('nothing to do is done at once', async () => {
  await expect(runBatch([], () => Promise.reject(new Error('never')))).resolves.toEqual([])
})

import { expect, test } from 'vitest'
import { makeBatch } from './batch.ts'

test('what is asked while a statement runs goes with the next one, in its order', async () => {
  const runs: number[][] = []
  const gates: Array<() => void> = []
  const run = async (items: number[]) => {
    runs.push(items)
    await new Promise<void>((resolve) => gates.push(resolve))
    return items.map((item) => item * 2)
  }
  const { add, settled } = makeBatch({ run, most: 3, mostWaiting: 10 })
  const first = [1, 2].map(add)
  await expect.poll(() => runs).toEqual([[1, 2]])
  const later = [3, 4, 5, 6].map(add)
  gates.shift()?.()
  expect(await Promise.all(first)).toEqual([2, 4])
  await expect.poll(() => runs.length).toBe(2)
  gates.shift()?.()
  await expect.poll(() => runs).toEqual([[1, 2], [3, 4, 5], [6]])
  gates.shift()?.()
  expect(await Promise.all(later)).toEqual([6, 8, 10, 12])
  await settled()
})

test('a statement that fails fails for those in it, and the next ones go on', async () => {
  const run = async (items: number[]) => {
    if (items.includes(1)) throw new Error('no')
    return items
  }
  const { add } = makeBatch({ run, most: 1, mostWaiting: 10 })
  const [bad, good] = [add(1), add(2)]
  await expect(bad).rejects.toThrow('no')
  expect(await good).toBe(2)
})

test('too many are refused', async () => {
  const { add } = makeBatch({ run: async (items: number[]) => items, most: 10, mostWaiting: 2 })
  const taken = [add(1), add(2)]
  await expect(add(3)).rejects.toThrow('too many')
  expect(await Promise.all(taken)).toEqual([1, 2])
})

import { expect, test } from 'vitest'
import { makeKeyedQueue } from './keyed-queue.ts'

function hold() {
  const open: Array<() => void> = []
  return {
    open,
    work: () => new Promise<void>((resolve) => void open.push(resolve)),
    async release() {
      open.shift()?.()
      // What follows runs in microtasks.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('work of one key keeps its order, also when the first of it is slow or fails', async () => {
  const turns = makeKeyedQueue({ atOnce: 8, maxWaiting: 100 })
  const order: number[] = []
  const { work, release } = hold()
  const failing = turns.run('a', async () => {
    await work()
    order.push(1)
    throw new Error('first')
  })
  const first = expect(failing).rejects.toThrow('first')
  const second = turns.run('a', async () => order.push(2))
  const other = turns.run('b', async () => order.push(3))
  await other
  await release()
  await first
  await second
  expect(order).toEqual([3, 1, 2])
  expect(turns.counts()).toEqual({ waiting: 0, working: 0, done: 3, refused: 0 })
})

test('only so many work at once, and the others follow', async () => {
  const turns = makeKeyedQueue({ atOnce: 2, maxWaiting: 100 })
  const { work, open, release } = hold()
  const all = ['a', 'b', 'c', 'd'].map((key) => turns.run(key, work))
  expect(turns.counts()).toMatchObject({ working: 2, waiting: 2 })
  expect(open).toHaveLength(2)
  for (let i = 0; i < 4; i++) await release()
  await Promise.all(all)
  expect(turns.counts()).toMatchObject({ working: 0, waiting: 0, done: 4 })
})

test('beyond the limit of those who wait the next is refused with 900002', async () => {
  const turns = makeKeyedQueue({ atOnce: 1, maxWaiting: 1 })
  const { work, release } = hold()
  const kept = [turns.run('a', work), turns.run('a', work)]
  await expect(turns.run('b', work)).rejects.toMatchObject({ code: 900002 })
  await release()
  await release()
  await Promise.all(kept)
  expect(turns.counts().refused).toBe(1)
})

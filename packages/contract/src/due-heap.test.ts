import { expect, test } from 'vitest'
import { DueHeap } from './due-heap.ts'

const moments = Array.from({ length: 1_000 }, (_, n) => (n * 7_919) % 500)
const sorted = (list: number[]) => list.toSorted((a, b) => a - b)

function drain(heap: DueHeap<{ at: number }>): number[] {
  const out: number[] = []
  for (let entry = heap.pop(); entry; entry = heap.pop()) out.push(entry.at)
  return out
}

test('entries come out earliest first, also while others are added', () => {
  const heap = new DueHeap<{ at: number }>()
  expect([heap.size, heap.firstAt, heap.pop()]).toEqual([0, Number.POSITIVE_INFINITY, undefined])
  for (const at of moments) heap.push({ at })
  expect([heap.size, heap.firstAt]).toEqual([1_000, 0])
  expect([heap.pop()?.at, heap.pop()?.at, heap.pop()?.at]).toEqual([0, 0, 1])
  heap.push({ at: -1 })
  expect(drain(heap)).toEqual([-1, ...sorted(moments).slice(3)])
  expect(heap.firstAt).toBe(Number.POSITIVE_INFINITY)
})

test('what is kept is still in order', () => {
  const heap = new DueHeap<{ at: number }>()
  for (const at of moments) heap.push({ at })
  heap.keep(({ at }) => at % 7 === 0)
  heap.push({ at: 3 })
  expect(drain(heap)).toEqual(sorted([3, ...moments.filter((at) => at % 7 === 0)]))
})

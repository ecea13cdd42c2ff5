import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Answers } from './answers.ts'

let kept: string[]
let discarded: number[]
let answers: Answers
let keep: (text: string) => Promise<number | 'elsewhere' | undefined>
beforeEach(() => {
  vi.useFakeTimers()
  kept = []
  discarded = []
  keep = async (text) => kept.push(text)
  answers = new Answers({
    keep: (_topic, payload) => keep(payload.toString()),
    discard: (id) => discarded.push(id),
  })
})
afterEach(() => vi.useRealTimers())

const add = (text: string) => answers.add('topic', Buffer.from(text))

test('what is acknowledged soon is never stored, and its numbers are below zero', async () => {
  const numbers = ['1', '2'].map(add)
  expect(numbers).toEqual([-1, -2])
  for (const number of numbers) answers.acknowledged(number)
  await vi.advanceTimersByTimeAsync(10_000)
  answers.end()
  expect(kept).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('what takes longer is stored once, and discarded when it is acknowledged after all', async () => {
  const number = add('late')
  await vi.advanceTimersByTimeAsync(249)
  expect(kept).toEqual([])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(kept).toEqual(['late'])
  answers.acknowledged(number)
  expect(discarded).toEqual([1])
  answers.end()
  expect(kept).toEqual(['late'])
})

test('acknowledged while it is being stored: it is discarded then', async () => {
  const gate = Promise.withResolvers<number>()
  keep = () => gate.promise
  const number = add('1')
  await vi.advanceTimersByTimeAsync(600)
  answers.acknowledged(number)
  expect(discarded).toEqual([])
  gate.resolve(7)
  await vi.advanceTimersByTimeAsync(0)
  expect(discarded).toEqual([7])
})

test('what a connection leaves behind is stored in its order', async () => {
  for (const text of ['1', '2', '3']) add(text)
  answers.acknowledged(-2)
  answers.end()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(kept).toEqual(['1', '3'])
})

test('what could not be stored is tried again for as long as the connection lasts', async () => {
  keep = () => Promise.reject(new Error('the database is away'))
  add('1')
  await vi.advanceTimersByTimeAsync(2_000)
  keep = async (text) => kept.push(text)
  await vi.advanceTimersByTimeAsync(250)
  expect(kept).toEqual(['1'])
})

test('a newer connection has it, or nobody: it is not stored again', async () => {
  const answersOfStore: Array<'elsewhere' | undefined> = ['elsewhere', undefined]
  let asked = 0
  keep = async () => {
    asked++
    return answersOfStore.shift()
  }
  add('1')
  add('2')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toBe(2)
})

test('a hundred are held at most', () => {
  for (let n = 0; n < 99; n++) add('x')
  expect(answers.full).toBe(false)
  add('x')
  expect(answers.full).toBe(true)
})

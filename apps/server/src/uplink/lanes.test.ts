import { expect, test } from 'vitest'
import { makeLanes } from './lanes.ts'

const gate = () => Promise.withResolvers<void>()

test('work that does not wait runs at once and leaves nothing behind', () => {
  const lanes = makeLanes()
  expect(lanes.run('a', () => 1)).toBe(1)
  expect(lanes.busy).toBe(0)
})

test('messages of one device keep their order although the first takes longer', async () => {
  const lanes = makeLanes()
  const slow = gate()
  const order: string[] = []
  const first = lanes.run('a', async () => {
    await slow.promise
    order.push('first')
  })
  const second = lanes.run('a', () => void order.push('second'))
  void lanes.run('b', () => void order.push('other device'))
  slow.resolve()
  await Promise.all([first, second])
  expect(order).toEqual(['other device', 'first', 'second'])
  await expect.poll(() => lanes.busy).toBe(0)
})

test('a failure reaches its own caller and the next one goes on', async () => {
  const lanes = makeLanes()
  const broken = lanes.run('a', async () => {
    throw new Error('no')
  })
  const next = lanes.run('a', () => 'fine')
  await expect(broken).rejects.toThrow('no')
  expect(await next).toBe('fine')
})

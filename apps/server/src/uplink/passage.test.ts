import { expect, test } from 'vitest'
import { DeviceOrder, GivenTimes } from './passage.ts'

const gate = () => Promise.withResolvers<void>()

test('work that does not wait runs at once and leaves nothing behind', () => {
  const devices = new DeviceOrder()
  expect(devices.run('a', () => 1)).toBe(1)
  expect(devices.busy).toBe(0)
})

test('messages of one device keep their order although the first takes longer', async () => {
  const devices = new DeviceOrder()
  const slow = gate()
  const order: string[] = []
  const first = devices.run('a', async () => {
    await slow.promise
    order.push('first')
  })
  const second = devices.run('a', () => void order.push('second'))
  void devices.run('b', () => void order.push('other device'))
  slow.resolve()
  await Promise.all([first, second])
  expect(order).toEqual(['other device', 'first', 'second'])
  await expect.poll(() => devices.busy).toBe(0)
})

test('a failure reaches its own caller and the next one goes on', async () => {
  const devices = new DeviceOrder()
  const broken = devices.run('a', async () => {
    throw new Error('no')
  })
  const next = devices.run('a', () => 'fine')
  await expect(broken).rejects.toThrow('no')
  expect(await next).toBe('fine')
})

test('messages of one millisecond have times of their own, in the order of arrival; other devices have theirs', () => {
  const times = new GivenTimes()
  expect([1_000, 1_000, 1_000, 1_001, 1_010].map((at) => times.next(1, at))).toEqual([
    1_000, 1_001, 1_002, 1_003, 1_010,
  ])
  expect(times.next(2, 1_000)).toBe(1_000)
})

test('a clock that is set back gives no time twice', () => {
  const times = new GivenTimes()
  expect([5_000, 4_000, 4_000].map((at) => times.next(1, at))).toEqual([5_000, 5_001, 5_002])
})

test('among very many devices those of this moment are remembered', () => {
  const times = new GivenTimes()
  for (let deviceID = 0; deviceID < 50_000; deviceID++) times.next(deviceID, deviceID < 25_000 ? 1 : 2)
  expect(times.next(49_999, 2)).toBe(3)
  expect(times.next(25_000, 2)).toBe(3)
})

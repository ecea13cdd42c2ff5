import { expect, test } from 'vitest'
import { makeWorkQueue } from './work-queue.ts'

function setUp(places = { first: 32, later: 8 }) {
  const done: string[] = []
  const faults: unknown[] = []
  const queue = makeWorkQueue(places, (error) => faults.push(error))
  const steps = new Map<string, () => void>()
  /** Ends when the test says so. */
  const step = (name: string) =>
    new Promise<void>((resolve) => {
      steps.set(name, () => {
        done.push(name)
        resolve()
      })
    })
  const begun = (name: string) => expect.poll(() => steps.has(name)).toBe(true)
  const end = async (name: string) => {
    await begun(name)
    steps.get(name)?.()
  }
  const add = (name: string, deviceID: number | undefined, hasRest = false) =>
    queue.first(async () => {
      await step(name)
      return hasRest ? () => step(`${name} rest`) : undefined
    }, deviceID)
  return { queue, add, begun, end, done, faults, isBegun: (name: string) => steps.has(name) }
}

test('the work of one device is done in its order, what is left of one before the next', async () => {
  const { queue, add, begun, end, done, isBegun } = setUp()
  add('raise', 1, true)
  add('clear', 1)
  add('other device', 2)
  add('no device', undefined)
  add('neither', undefined)
  for (const name of ['other device', 'neither', 'no device']) await end(name)
  await end('raise')
  await begun('raise rest')
  expect(isBegun('clear')).toBe(false)
  expect([queue.running, queue.waiting]).toEqual([1, 1])
  await end('raise rest')
  await end('clear')
  await queue.drained(5_000)
  expect(done).toEqual(['other device', 'neither', 'no device', 'raise', 'raise rest', 'clear'])
  expect([queue.running, queue.waiting]).toEqual([0, 0])
})

test('what waits for another of its device takes no place from others', async () => {
  const { add, end, isBegun, done } = setUp({ first: 2, later: 1 })
  for (let n = 0; n < 5; n += 1) add(`one ${n}`, 1)
  add('two', 2)
  await end('two')
  expect(isBegun('one 1')).toBe(false)
  for (let n = 0; n < 5; n += 1) await end(`one ${n}`)
  expect(done).toEqual(['two', 'one 0', 'one 1', 'one 2', 'one 3', 'one 4'])
})

test('one that fails is told of and does not hold up the next', async () => {
  const { queue, add, end, done, faults } = setUp()
  const fault = new Error('broken')
  queue.first(() => Promise.reject(fault), 1)
  queue.later(() => Promise.reject(fault))
  add('next', 1)
  await end('next')
  await queue.drained(5_000)
  expect(done).toEqual(['next'])
  expect(faults).toEqual([fault, fault])
})

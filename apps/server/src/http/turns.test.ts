import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('so many have a turn, the next ones wait in order, and not for ever', async () => {
  const turns = new Turns(1, 2)
  const first = await turns.take(60_000)
  const second = turns.take(60_000)
  const third = turns.take(60_000)
  expect(await turns.take(60_000)).toBeUndefined()
  first?.()
  const giveBack = await second
  expect(giveBack).toBeTypeOf('function')
  expect(await turns.take(1)).toBeUndefined()
  giveBack?.()
  const last = await third
  last?.()
  expect(await turns.take(1)).toBeTypeOf('function')
})

import { expect, test } from 'vitest'
import { runEach } from './run-each.ts'

test('a refused row does not stop the ones behind it', async () => {
  const seen: string[] = []
  await runEach(
    ['a', 'b', 'c'],
    async (item) => {
      if (item === 'b') throw new Error('该产品下还有设备')
    },
    (item, outcome) => seen.push(`${item} ${outcome.state}`),
  )
  expect(seen).toEqual(['a done', 'b failed', 'c done'])
})

import { expect, test } from 'vitest'
import { oneAtATime } from './within.ts'

test('who asks while an answer is awaited gets the same, and after it, also after a failure, another one', async () => {
  const asked: Array<PromiseWithResolvers<string>> = []
  const ask = oneAtATime(() => {
    const one = Promise.withResolvers<string>()
    asked.push(one)
    return one.promise
  })
  const [first, second] = [ask(), ask()]
  asked[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect(second).rejects.toThrow('away')
  const third = ask()
  asked[1]?.resolve('there')
  expect(await third).toBe('there')
  expect(asked).toHaveLength(2)
})

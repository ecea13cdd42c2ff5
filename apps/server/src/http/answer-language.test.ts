import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { expect, test } from 'vitest'
import { prefersEnglish } from './answer-language.ts'

test.each([
  [undefined, false],
  ['', false],
  ['zh-CN,zh;q=0.9,en;q=0.8', false],
  ['en-US,en;q=0.9,zh;q=0.8', true],
  ['de,en;q=0.7', true],
  ['de, fr', false],
  ['en;q=0.2, zh;q=0.4', false],
  ['en;q=0', false],
  ['*', false],
])('%s asks for English: %s', (header, english) => {
  expect(prefersEnglish(header)).toBe(english)
})

test('an error is Chinese where it is logged, and said in another language with the same values', () => {
  const error = new AppError(errors.notFound, { detail: phrase('产品 {productID} 不存在', { productID: 'p1' }) })
  expect(error.message).toBe('未查询到:产品 p1 不存在')
  const words: Record<string, string> = {
    未查询到: 'Not found',
    '产品 {productID} 不存在': 'There is no product {productID}',
  }
  const said = error.say((text, values) => (words[text] ?? text).replace('{productID}', String(values?.productID)))
  expect(said).toBe('Not found: There is no product p1')
})

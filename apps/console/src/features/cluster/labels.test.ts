import { expect, test } from 'vitest'
import { behindText, lagText, serverTitle } from './labels.ts'

test('a server is called by its number and its machine', () => {
  expect(serverTitle({ node: 0, name: 'alpha' })).toBe('0 号 alpha')
  expect(serverTitle({ node: -1, name: '' })).toBe('未知服务器')
})

test('short times have a decimal, what is not known is a dash', () => {
  expect([-1, 0.8, 12.4].map(lagText)).toEqual(['—', '0.8 ms', '12 ms'])
})

test('packing is behind by minutes, after two hours by hours', () => {
  expect([0, 1800, 7140, 7200, 90_000].map(behindText)).toEqual(['0 分钟', '30 分钟', '119 分钟', '2 小时', '25 小时'])
})

import { expect, test } from 'vitest'
import { isLogo, kilobytes, largestFile, refuseLogo } from './logo-file.ts'

const dataUri = (bytes: number) => `data:image/svg+xml;base64,${Buffer.alloc(bytes, 7).toString('base64')}`

test('the largest file that is taken fits the contract, one more group of bytes does not', () => {
  expect(isLogo(dataUri(largestFile))).toBe(true)
  expect(isLogo(dataUri(largestFile + 3))).toBe(false)
})

test('a refusal names the limit and what was given', () => {
  expect(refuseLogo({ name: '厂徽.png', type: 'image/png', size: 300 * 1024 })).toBe(
    '图片不能超过 146 KB，「厂徽.png」有 300 KB',
  )
  expect(refuseLogo({ name: 'logo.gif', type: 'image/gif', size: 100 })).toBe(
    '只支持 PNG、JPEG、WebP 或 SVG 图片，「logo.gif」不是',
  )
  expect(refuseLogo({ name: 'a.png', type: 'image/png', size: 0 })).toBe('「a.png」是空文件')
})

test('a small picture of each kind is taken', () => {
  for (const type of ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']) {
    expect(refuseLogo({ name: 'logo', type, size: 4096 })).toBeUndefined()
  }
})

test('sizes are told in whole kilobytes, rounded up', () => {
  expect(kilobytes(1)).toBe('1 KB')
  expect(kilobytes(2049)).toBe('3 KB')
})

import { expect, test } from 'vitest'
import { makeNoticeMerger } from './notices.ts'

const notice = (text: string, requestID?: string) => ({ title: '请求错误, 错误码:100007', text, requestID })

test('identical notifications share a key and count up, whatever their request id', () => {
  const merger = makeNoticeMerger()
  const first = merger.add(notice('系统错误', 'r1'))
  const second = merger.add(notice('系统错误', 'r2'))
  expect(second.key).toBe(first.key)
  expect([first.count, second.count, second.requestID]).toEqual([1, 2, 'r2'])
})

test('different texts stay separate notifications', () => {
  const merger = makeNoticeMerger()
  expect(merger.add(notice('甲')).key).not.toBe(merger.add(notice('乙')).key)
})

test('a closed notification starts counting anew', () => {
  const merger = makeNoticeMerger()
  const { key } = merger.add(notice('甲'))
  merger.add(notice('甲'))
  merger.closed(key)
  expect(merger.add(notice('甲')).count).toBe(1)
})

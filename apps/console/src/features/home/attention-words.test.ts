import { type AttentionRow, attentionReach } from '@ithings/contract/features/home.ts'
import { expect, test } from 'vitest'
import { kindsOf, listedOf, whyText } from './attention-words.ts'

const now = 1_000_000_000
const row: AttentionRow = {
  kind: 'offline',
  productID: 'PumpStation',
  deviceName: 'PS-01',
  deviceAlias: '',
  since: now - 25 * 3_600_000,
  text: '',
  taskUid: '',
}

test('a reason is said in its own words, else since when', () => {
  expect(whyText(row, now)).toBe('1 天 1 小时')
  expect(whyText({ ...row, kind: 'silent' }, now)).toBe('1 天 1 小时无数据')
  expect(whyText({ ...row, kind: 'upgrade', text: '校验不一致' }, now)).toBe('校验不一致')
})

test('kinds without devices are left out', () => {
  expect(kindsOf({ offline: 0, upgrade: 2, silent: 0, config: 1 })).toEqual(['upgrade', 'config'])
  expect(kindsOf(undefined)).toEqual([])
})

test('devices offline or silent are listed all, of failures as many as are looked at', () => {
  expect(listedOf('offline', 300_000)).toBe(300_000)
  expect(listedOf('config', 300_000)).toBe(attentionReach)
  expect(listedOf('upgrade', 7)).toBe(7)
})

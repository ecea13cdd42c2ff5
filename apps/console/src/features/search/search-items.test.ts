import type { SearchHit } from '@ithings/contract/features/search.ts'
import { expect, test } from 'vitest'
import { memoryStorage } from '#kit/testing/memory-storage.ts'
import { nextIndex } from './parts/use-choice.ts'
import { clearRecentItems, noteRecentItem, readRecentItems } from './recent-items.ts'
import { cutAtWord, findScreens, groupItems, type MenuScreen } from './search-items.ts'

const screens: MenuScreen[] = [
  { name: '设备', path: '/deviceMangers/device/index', group: '设备管理' },
  { name: '固件升级', path: '/operationsMonitorings/firmwareUpgrade/index', group: '运维监控' },
  { name: '在线设备调试', path: '/debug', group: '运维监控' },
]
const hit = (fields: Partial<SearchHit>): SearchHit => ({
  kind: 'device',
  id: 'pump:1',
  productID: 'P0000000001',
  name: '一号泵',
  detail: '',
  ...fields,
})

test('screens are found by their names, the whole name first, and by the group they stand in', () => {
  expect(findScreens(screens, ' 设备 ').map(({ title }) => title)).toEqual(['设备', '在线设备调试'])
  expect(findScreens(screens, '运维').map(({ title }) => title)).toEqual(['固件升级', '在线设备调试'])
  expect(findScreens(screens, '没有')).toEqual([])
})

test('hits stand below screens by their kinds, each with the address of its own page', () => {
  const permitted = new Set([
    '/deviceMangers/device/index',
    '/ruleEngine/scene/index',
    '/deviceMangers/createDeviceTask/index',
  ])
  const hits = [hit({ kind: 'task', id: '4', name: '重启' }), hit({}), hit({ kind: 'scene', id: '7', name: '停泵' })]
  expect(groupItems(findScreens(screens, '设备'), hits, permitted).map(({ label }) => label)).toEqual([
    '页面',
    '设备',
    '场景',
    '设备任务',
  ])
  expect(groupItems([], hits, permitted).flatMap(({ items }) => items.map(({ to }) => to))).toEqual([
    '/deviceMangers/device/detail/P0000000001/pump%3A1/1',
    '/ruleEngine/scene/detail?id=7',
    '/deviceMangers/createDeviceTask/index?taskID=4',
  ])
})

test('a hit whose screen is not in the menu is not shown: it would lead to a closed door', () => {
  expect(
    groupItems([], [hit({}), hit({ kind: 'product', id: 'P0000000001' })], new Set(['/deviceMangers/product/index'])),
  ).toMatchObject([{ label: '产品', items: [{ to: '/deviceMangers/product/detail/P0000000001' }] }])
})

test('the word is marked wherever it is, whatever the case', () => {
  expect(cutAtWord('Pump-12-pump', 'PUMP')).toEqual([
    { text: 'Pump', hit: true },
    { text: '-12-', hit: false },
    { text: 'pump', hit: true },
  ])
  expect(cutAtWord('a.b', '.')).toEqual([
    { text: 'a', hit: false },
    { text: '.', hit: true },
    { text: 'b', hit: false },
  ])
  expect(cutAtWord('水泵', '')).toEqual([{ text: '水泵', hit: false }])
  expect(cutAtWord('İstanbul', 'stan')).toEqual([{ text: 'İstanbul', hit: false }])
})

test('what was opened last comes first, once, and no more than six', () => {
  const storage = memoryStorage()
  const item = (n: number) => ({ kind: 'device' as const, title: `设备 ${n}`, detail: '', to: `/d/${n}` })
  for (const n of [1, 2, 3, 4, 5, 6, 7, 3]) noteRecentItem(item(n), storage)
  expect(readRecentItems(storage).map(({ to }) => to)).toEqual(['/d/3', '/d/7', '/d/6', '/d/5', '/d/4', '/d/2'])
  clearRecentItems(storage)
  expect(readRecentItems(storage)).toEqual([])
  storage.setItem('recent-search', '[{"kind":"gone"}]')
  expect(readRecentItems(storage)).toEqual([])
})

test('arrows walk in a ring', () => {
  expect(nextIndex('ArrowDown', 2, 3)).toBe(0)
  expect(nextIndex('ArrowUp', 0, 3)).toBe(2)
  expect(nextIndex('PageDown', 0, 3)).toBe(2)
  expect(nextIndex('a', 0, 3)).toBeUndefined()
  expect(nextIndex('ArrowDown', 0, 0)).toBeUndefined()
})

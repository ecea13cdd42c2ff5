import { expect, test } from 'vitest'
import { memoryStorage } from '#kit/testing/memory-storage.ts'
import { noteRecent, readRecent } from './recent-devices.ts'

const device = (n: number) => ({ productID: 'p1', deviceName: `d${n}`, title: `泵 ${n}` })

test('the device used last comes first and is listed once; the list stays short', () => {
  const storage = memoryStorage()
  for (let n = 1; n <= 10; n++) noteRecent(device(n), storage)
  noteRecent(device(9), storage)
  expect(readRecent(storage).map(({ deviceName }) => deviceName)).toEqual([
    'd9',
    'd10',
    'd8',
    'd7',
    'd6',
    'd5',
    'd4',
    'd3',
  ])
})

test('something foreign in the store, or a full one, breaks nothing', () => {
  const storage = memoryStorage()
  storage.setItem('recent-devices', '{"not":"a list"}')
  expect(readRecent(storage)).toEqual([])
  expect(noteRecent(device(1), memoryStorage(true))).toEqual([device(1)])
})

import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { shadowDocument, shadowLines } from './shadow-rows.ts'

const number = { type: 'int', min: '0', max: '100' }
const { model } = readTslText(
  JSON.stringify({
    properties: [
      { identifier: 'plain', name: '无影子', define: number },
      { identifier: 'a', name: '甲', define: number, isUseShadow: true },
      { identifier: 'b', name: '乙', define: number, isUseShadow: true },
      {
        identifier: 's',
        name: '结构',
        isUseShadow: true,
        define: {
          type: 'struct',
          specs: [
            { identifier: 'x', name: 'X', dataType: number },
            { identifier: 'y', name: 'Y', dataType: number },
          ],
        },
      },
      { identifier: 'd', name: '丁', define: number, isUseShadow: true },
    ],
  }),
)
const value = (dataID: string, text: string) => ({ dataID, value: text, timestamp: '1700000000000' })
const wish = (dataID: string, text: string, delivered: number) => ({
  dataID,
  value: text,
  updatedDeviceTime: delivered,
  setTime: 1,
  userName: 'u',
})
const lines = shadowLines(
  model,
  [value('a', '1'), value('b', '2'), value('s', '{"y":2,"x":1}'), value('plain', '9')],
  [wish('a', '5', 0), wish('b', '3', 1_700_000_000_000), wish('s', '{"x":1,"y":2}', 1_700_000_000_000)],
)

test('screens.md 6.8: only properties with a shadow, each with its state', () => {
  expect(lines.map(({ property, state }) => [property.identifier, state])).toEqual([
    ['a', 'waiting'],
    ['b', 'apart'],
    ['s', 'synced'],
    ['d', 'none'],
  ])
})

test('wishes of properties without shadow, read-only or gone, are shown as left over and not in the document', () => {
  const changed = readTslText(
    JSON.stringify({
      properties: [
        { identifier: 'off', name: '已关影子', define: number },
        { identifier: 'r', name: '只读', mode: 'r', define: number, isUseShadow: true },
        { identifier: 'a', name: '甲', define: number, isUseShadow: true },
      ],
    }),
  ).model
  const found = shadowLines(
    changed,
    [value('off', '1')],
    [wish('a', '5', 0), wish('gone', '7', 0), wish('off', '2', 1_700_000_000_000), wish('r', '3', 0)],
  )
  expect(found.map(({ property, state }) => [property.identifier, state])).toEqual([
    ['off', 'leftover'],
    ['r', 'leftover'],
    ['a', 'waiting'],
    ['gone', 'leftover'],
  ])
  expect(shadowDocument(found)).toEqual({ reported: {}, desired: { a: 5 }, delta: { a: 5 } })
})

test('the document holds reported, desired, and as delta what the device does not have', () => {
  expect(shadowDocument(lines)).toEqual({
    reported: { a: 1, b: 2, s: { x: 1, y: 2 } },
    desired: { a: 5, b: 3, s: { x: 1, y: 2 } },
    delta: { a: 5, b: 3 },
  })
})

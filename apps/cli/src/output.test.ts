import { expect, test } from 'vitest'
import { show, table } from './output.ts'
import { makePlace } from './testing/place.ts'
import { clip, harmless, pad, widthOf } from './width.ts'

test('Chinese takes two columns, marks none', () => {
  expect(['ab', '设备', 'é', '👍', '\u001b[31mab\u001b[0m'].map(widthOf)).toEqual([2, 4, 1, 2, 2])
  expect(clip('设备名称', 5)).toBe('设备…')
  expect(pad('设备', 5)).toBe('设备 ')
})

const rows = [
  { name: '水泵', status: 1, lastTime: '1700000000', tags: [1] },
  { name: 'lamp', status: 2, lastTime: '0', tags: [] },
]

test('columns stand below each other, as many as there is room for', () => {
  const { lines, left } = table(rows, 16)
  expect(lines).toEqual(['name  status', '水泵  1', 'lamp  2'])
  expect(left).toEqual(['lastTime'])
  expect(lines.every((line) => widthOf(line) <= 16)).toBe(true)
})

test('without a terminal nothing is cut; times are local; columns can be chosen', () => {
  expect(table([{ text: 'x'.repeat(300) }], undefined).lines[1]).toHaveLength(300)
  expect(table(rows, undefined).lines[1]).toMatch(/^水泵 {2}1 {7}20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(table(rows, undefined, 'tags,name').lines).toEqual(['tags  name', '[1]   水泵', '[]    lamp'])
})

test('an answer is a table, lines, JSON or YAML', () => {
  const shown = (data: unknown, format = {}) => {
    const { place, said } = makePlace()
    show(place, data, format)
    return said
  }
  expect(shown({ list: rows.slice(0, 1), total: 3 }).err).toBe('显示 1 行，共 3 行；--all 取全部\n')
  expect(shown({ list: [], total: 0 })).toMatchObject({ out: '', err: '没有数据\n' })
  expect(shown({ id: 7, name: '泵' }).out).toBe('id    7\nname  泵\n')
  expect(shown(undefined)).toMatchObject({ out: '', err: '完成\n' })
  expect(JSON.parse(shown({ id: 7 }, { json: true }).out)).toEqual({ id: 7 })
  expect(shown({ id: 7 }, { yaml: true }).out).toBe('id: 7\n')
})

test('names of devices cannot steer the terminal', () => {
  expect(harmless('a\u001b]0;x\u0007b\n\u202ec')).toBe('a�]0;x�b⏎�c')
})

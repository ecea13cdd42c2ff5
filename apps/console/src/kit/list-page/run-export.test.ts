import { expect, test } from 'vitest'
import { rowsToCsv } from './run-export.ts'

const rows = [{ name: '泵', state: 1, tags: [{ key: 'a', value: 'b' }] }]

test('a column that is drawn by hand is written with the field of its name', () => {
  const csv = rowsToCsv<(typeof rows)[number]>(
    [
      { key: 'name', title: '名称', render: () => null },
      { key: 'state', title: '状态', exportText: ({ state }) => (state === 1 ? '在线' : '离线') },
      { key: 'tags', title: '标签', render: () => null },
    ],
    rows,
  )
  expect(csv).toBe('\uFEFF名称,状态,标签\r\n泵,在线,\r\n')
})

test('a column can stay out of the file', () => {
  expect(rowsToCsv<(typeof rows)[number]>([{ key: 'name', title: '名称', exportText: false }], rows)).not.toContain(
    '泵',
  )
})

test('a moment and a status are written as they read', () => {
  const csv = rowsToCsv<{ at: number; state: number }>(
    [
      { key: 'at', title: '时间', time: 'relative' },
      { key: 'state', title: '状态', looks: { 1: { text: '在线', tone: 'success' } } },
    ],
    [{ at: new Date('2026-01-02T03:04:05').getTime(), state: 1 }],
  )
  expect(csv).toBe('\uFEFF时间,状态\r\n2026-01-02 03:04:05,在线\r\n')
})

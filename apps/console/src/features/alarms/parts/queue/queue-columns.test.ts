import { expect, test } from 'vitest'
import { sampleRecord } from '#blocks/alarm-records/sample-record.ts'
import { rowsToCsv } from '#kit/list-page/run-export.ts'
import { exportColumns } from './queue-columns.tsx'

const linesOf = (over: Parameters<typeof sampleRecord>[0]) =>
  rowsToCsv(exportColumns, [sampleRecord(over)])
    .replace('\uFEFF', '')
    .split('\r\n')

test('the file has words instead of numbers, and times as people read them', () => {
  const [head, row] = linesOf({
    dealState: 3,
    firstAlarm: 1000,
    dealTime: 61_000,
    dealUserName: '周海',
    dealResult: '换阀芯',
  })
  expect(head).toContain('级别,告警名称,产品 ID')
  expect(row).toContain('超紧急,水泵超温,pump0000001,水泵站,P02')
  expect(row).toContain(',1 分,6,已处理,')
  expect(row?.endsWith(',换阀芯')).toBe(true)
})

test('a note that a spreadsheet would run as a formula stays text', () => {
  const [, row] = linesOf({ dealState: 3, dealTime: 1, dealResult: '=1+1' })
  expect(row?.endsWith(",'=1+1")).toBe(true)
})

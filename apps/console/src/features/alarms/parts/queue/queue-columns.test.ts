import { expect, test } from 'vitest'
import { sampleRecord } from '#blocks/alarm-records/testing/sample-record.ts'
import { exportColumns as fileColumns } from '#kit/list-page/export-columns.ts'
import { exportColumns } from './queue-columns.tsx'

test('the file has every column of a record by its field, with words instead of numbers and times as times', () => {
  const columns = fileColumns(exportColumns, sampleRecord({}))
  expect(columns).toHaveLength(exportColumns.length)
  expect(columns[0]).toEqual({ key: 'level', head: '级别', labels: expect.objectContaining({ 5: '超紧急' }) })
  expect(columns).toContainEqual({ key: 'dealState', head: '状态', labels: { 1: '无告警', 2: '告警中', 3: '已处理' } })
  expect(columns).toContainEqual({ key: 'lastAlarm', head: '最近告警', type: 'time' })
})

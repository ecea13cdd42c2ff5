import { importColumns } from '@ithings/contract/features/devices/bulk.ts'
import { expect, test } from 'vitest'
import { failedRowsText, refuseImport, sendingOf, templateText } from './import-csv.ts'

test('the template begins with the byte order mark and has the columns of the import in order', () => {
  const [head = '', sample = ''] = templateText('水泵').split('\r\n')
  expect(head).toBe(`\uFEFF${importColumns.map(([, title]) => title).join(',')}`)
  expect(sample).toMatch(/^水泵,/)
  // The platform refuses rows with this word, so that a forgotten sample never becomes a device.
  expect(sample).toContain('ithingsdemo')
  expect(templateText()).toContain('\r\nithingsdemo产品,')
})

test('failed rows come back as they were, with the reason last', () => {
  const row = {
    row: 3,
    productName: '水泵',
    deviceName: 'a b',
    deviceAlias: '一号, 东',
    secret: '',
    logLevel: '',
    tags: '',
    position: '',
    address: '',
    tips: '设备名称不对',
  }
  expect(failedRowsText([row]).split('\r\n')[1]).toBe('水泵,a b,"一号, 东",,,,,,设备名称不对')
})

test('what cannot be a device list is refused before it is sent', () => {
  expect(refuseImport({ name: '设备.CSV', size: 10 })).toBeUndefined()
  expect(refuseImport({ name: '设备.xlsx', size: 10 })).toContain('另存为 CSV')
  expect(refuseImport({ name: 'a.csv', size: 0 })).toContain('空文件')
  expect(refuseImport({ name: 'a.csv', size: 9 * 1024 * 1024 })).toBe('文件不能超过 8 MB，「a.csv」有 9.0 MB')
})

test('a file that is sent but not written shows no bar that looks finished', () => {
  expect(sendingOf(0, false)).toEqual({ percent: 0, text: '正在上传' })
  expect(sendingOf(0.999, false)).toEqual({ percent: 99, text: '正在上传' })
  expect(sendingOf(1, false)).toEqual({ text: '正在写入' })
  expect(sendingOf(1, true)).toEqual({ text: '正在逐行检查' })
})

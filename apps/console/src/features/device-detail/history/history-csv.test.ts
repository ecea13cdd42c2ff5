import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { formatTime, logFormat } from '#kit/time.ts'
import { historyCsv } from './history-csv.ts'

const { properties } = readTslText(
  JSON.stringify({
    properties: [
      { identifier: 'p', name: '压力', define: { type: 'float', unit: 'MPa' } },
      { identifier: 'on', name: '泵', define: { type: 'bool', mapping: { 0: '停', 1: '转' } } },
      { identifier: 'note', name: '备注', define: { type: 'string', max: '99' } },
    ],
  }),
).model
const at = 1_700_000_000_000
const row = (dataID: string, value: string, values?: Record<string, string>) => ({
  dataID,
  value,
  deviceName: 'd1',
  timestamp: String(at),
  ...(values && { values }),
})
const time = formatTime(at, logFormat)
const linesOf = (text: string) => text.trim().split('\r\n').slice(1)

test('a line says when, which device, which property, and the value in words and as it came', () => {
  const text = historyCsv({ properties, func: undefined, rows: [row('p', '1234.5'), row('on', 'true')] })
  expect(linesOf(text)).toEqual([`${time},d1,压力,p,原始,1234.5,MPa,1234.5`, `${time},d1,泵,on,原始,转,,true`])
})

test('texts of devices cannot become formulas of a spreadsheet', () => {
  const text = historyCsv({ properties, func: undefined, rows: [row('note', '=HYPERLINK("x")')] })
  expect(text).toContain(`"'=HYPERLINK(""x"")"`)
})

test('with a statistic the file has its value and its name; rows of unknown properties are left out', () => {
  const text = historyCsv({
    properties,
    func: 'max',
    rows: [row('p', '1', { max: '3', avg: '1' }), row('on', 'true', { last: 'false' }), row('gone', '1')],
  })
  expect(linesOf(text)).toEqual([`${time},d1,压力,p,最大值,3,MPa,3`, `${time},d1,泵,on,末个值,停,,false`])
})

import { expect, test } from 'vitest'
import { csvCell, toCsv } from './csv.ts'

test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠SUM'])(
  '%j cannot run as a formula',
  (text) => {
    expect(csvCell(text).replaceAll('"', '')).toBe(`'${text}`)
  },
)

test('numbers keep their sign', () => {
  expect([csvCell(-5), csvCell('-5.25'), csvCell('+86')]).toEqual(['-5', '-5.25', '+86'])
})

test('quotes, commas and line breaks are escaped; nothing is an empty cell', () => {
  expect(csvCell('a"b,c\nd')).toBe('"a""b,c\nd"')
  expect(csvCell(null)).toBe('')
})

test('the file starts with a byte order mark and ends its lines with CRLF', () => {
  expect(
    toCsv([
      ['名称', '值'],
      ['泵', 1],
    ]),
  ).toBe('\uFEFF名称,值\r\n泵,1\r\n')
})

import { expect, test } from 'vitest'
import { addNames, decodeFile, readCsvNames, readPasted, withoutNames } from './device-names.ts'

test('pasted names are split at lines, blanks and every comma, each counts once', () => {
  expect(readPasted('a-1, a-2\n a-3；a-1\t坏名字、b@c')).toEqual({
    names: ['a-1', 'a-2', 'a-3', 'b@c'],
    bad: ['坏名字'],
    repeated: 1,
  })
  expect(readPasted('  \n ')).toEqual({ names: [], bad: [], repeated: 0 })
})

test('a file is read by its column of names, or by the first one when it has no head', () => {
  expect(readCsvNames('\uFEFF产品,设备名称,备注\r\n泵,p-1,"a,""b"""\r\n泵,p-2,\r\n').names).toEqual(['p-1', 'p-2'])
  expect(readCsvNames('p-1;x\np-2;y').names).toEqual(['p-1', 'p-2'])
  expect(readCsvNames('DeviceName\np-1\n\np-1\n')).toEqual({ names: ['p-1'], bad: [], repeated: 1 })
  expect(readCsvNames('').names).toEqual([])
})

test('the files that the platform writes are read in both languages, required columns with their star', () => {
  expect(readCsvNames('产品ID,设备名称,设备密钥\r\nP1,p-1,s1\r\n').names).toEqual(['p-1'])
  expect(readCsvNames('Product ID,Device name,Device secret\r\nP1,p-1,s1\r\n').names).toEqual(['p-1'])
  expect(readCsvNames('产品名称*,设备名称*,设备别名\r\n泵,p-1,\r\n').names).toEqual(['p-1'])
  expect(readCsvNames('"Product name*","Device name*",Alias\r\nPump,p-1,\r\n').names).toEqual(['p-1'])
})

test('the apostrophe of an exported cell is no part of the name', () => {
  expect(readCsvNames("设备名称\r\n'-a\r\n'@b").names).toEqual(['-a', '@b'])
})

test('a file of a Chinese spreadsheet is read, too', () => {
  const gbk = Uint8Array.from([0xc9, 0xe8, 0xb1, 0xb8, 0xc3, 0xfb, 0xb3, 0xc6])
  expect(decodeFile(gbk.buffer)).toBe('设备名称')
  expect(decodeFile(new TextEncoder().encode('设备').buffer)).toBe('设备')
})

test('what joins a choice keeps its order, and the limit is told', () => {
  expect(addNames(['a', 'b'], ['b', 'c', 'd'], 3)).toEqual({ names: ['a', 'b', 'c'], left: 1 })
  expect(withoutNames(['a', 'b', 'c'], ['b', 'x'])).toEqual(['a', 'c'])
})

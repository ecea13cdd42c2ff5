import { describe, expect, test } from 'vitest'
import { inputProblem, readHex, spacedHex, textToHex, wireInput } from './bench-input.ts'
import { scriptTemplates } from './templates.ts'

describe('hex is read however it was copied', () => {
  test.each([
    ['01 2A ff', '012aff'],
    ['0x01,0x2a,0xFF', '012aff'],
    ['0x012aff', '012aff'],
    ['01-2a:ff\n', '012aff'],
    ['1 2 3', '010203'],
  ])('%s', (text, hex) => {
    expect(readHex(text)).toEqual({ ok: true, hex, bytes: 3 })
  })
})

test('what is no hex is named', () => {
  expect(inputProblem('up', '01 xyz')).toBe('「xyz」不是十六进制')
  expect(inputProblem('up', '012')).toBe('「012」缺半个字节，十六进制须成对')
  expect(inputProblem('up', '  ')).toBe('请输入十六进制字节')
})

test('JSON for messages that go out is refused with its line and column', () => {
  expect(inputProblem('down', '{"a":1}')).toBeUndefined()
  expect(inputProblem('down', '{\n"a":}')).toMatch(/^第 2 行第 5 列/)
  expect(inputProblem('down', '')).toBe('请输入 JSON')
})

test('hex is sent plain and shown with blanks', () => {
  expect(wireInput('up', '0x01 0x2A')).toBe('012a')
  expect(wireInput('down', '{"a": 1}')).toBe('{"a": 1}')
  expect(spacedHex('012aff')).toBe('01 2a ff')
  expect(spacedHex('')).toBe('')
})

test('a text becomes its UTF-8 bytes', () => {
  expect(textToHex('泵1')).toBe('e6 b3 b5 31')
})

test('the trial of every template can be run', () => {
  for (const { trial } of scriptTemplates) expect(inputProblem(trial.direction, trial.input)).toBeUndefined()
})

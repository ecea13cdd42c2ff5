import type { Define } from '@ithings/contract/thing-model/define.ts'
import { expect, test } from 'vitest'
import { formatTime } from '#kit/time.ts'
import { describeText, figureText, numberOf, parseValue } from './value-text.ts'

const lamp: Define = { type: 'bool', mapping: { 0: '关', 1: '开' } }
const mode: Define = { type: 'enum', mapping: { 0: '手动', 1: '自动' } }
const pressure: Define = { type: 'float', min: '0', max: '2', step: '0.01', unit: 'MPa' }
const phases: Define = {
  type: 'struct',
  specs: [
    { identifier: 'ia', name: 'A 相', dataType: { type: 'float', unit: 'A' } },
    { identifier: 'on', name: '合闸', dataType: lamp },
  ],
}

test('http-api.md 4.4: every type reads in words, with its unit and its mapping text', () => {
  expect(describeText(lamp, 'true')).toBe('开')
  expect(describeText(mode, '0')).toBe('手动')
  expect(describeText(pressure, '1234.5')).toBe('1,234.5 MPa')
  expect(describeText({ type: 'string' }, '{"a":1}')).toBe('{"a":1}')
  expect(describeText({ type: 'timestamp' }, '1700000000')).toBe(formatTime(1_700_000_000))
  expect(describeText(phases, '{"ia":12.4,"on":false}')).toBe('A 相 12.4 A，合闸 关')
  expect(describeText({ type: 'array', arrayInfo: pressure }, '[1,0.5]')).toBe('1 MPa、0.5 MPa')
})

test('a state the mapping does not know is shown, not hidden', () => {
  expect(describeText(mode, '7')).toBe('未知（7）')
})

test('a property that never reported has no value; an empty text is a value of a string', () => {
  expect(describeText(pressure, '')).toBe('—')
  expect(parseValue({ type: 'string' }, '')).toBe('')
})

test('a value of another type, left from an older model, is shown as it is', () => {
  expect(describeText(pressure, '"n/a"')).toBe('n/a MPa')
  expect(describeText(phases, '5')).toBe('5')
  expect(describeText(pressure, 'not json')).toBe('—')
})

test('a member that was not reported is a dash, an unknown one is left out', () => {
  expect(describeText(phases, '{"ia":1,"x":2}')).toBe('A 相 1 A，合闸 —')
})

test('numbers and states have a place on a chart, texts have none', () => {
  expect(numberOf(lamp, 'true')).toBe(1)
  expect(numberOf(mode, '0')).toBe(0)
  expect(numberOf(pressure, '0.1')).toBe(0.1)
  expect(numberOf(pressure, '')).toBeNull()
  expect(numberOf({ type: 'string' }, '12')).toBeNull()
  expect(numberOf({ type: 'timestamp' }, '12')).toBeNull()
})

test('a computed figure has one digit more than the step of its values', () => {
  expect(figureText(pressure, 0.210586)).toBe('0.211 MPa')
  expect(figureText({ type: 'int', step: '1' }, 12.3456)).toBe('12.3')
  expect(figureText({ type: 'float' }, 1 / 3)).toBe('0.333')
})

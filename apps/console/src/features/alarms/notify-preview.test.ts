import { expect, test } from 'vitest'
import { exampleOf, previewOf, unknownVariables } from './notify-preview.ts'

const example = exampleOf({ name: '水泵超温', level: 5 }, '2026-11-15 14:18:32')
const variable = (name: string) => `$\{${name}}`

test('variables are filled in and what is none stays as typed', () => {
  const title = `${variable('level')} ${variable('alarmName')} ${variable('constructor')} $5`
  expect(previewOf({ title, content: '' }, example).title).toBe(`超紧急 水泵超温 ${variable('constructor')} $5`)
})

test('names that mean nothing are told once each', () => {
  expect(unknownVariables(`${variable('x')}${variable('x')}${variable('level')}${variable('')}`)).toEqual(['x', ''])
})

test('empty texts show the built-in ones', () => {
  expect(previewOf({ title: '', content: '' }, example).title).toBe('【超紧急】水泵超温 · 三号泵站-P02')
  expect(previewOf({ title: '', content: '' }, example).content).toContain('触发：水泵温度 > 80 ℃（实际 83.6 ℃）')
  expect(previewOf({ title: 'A', content: variable('count') }, example)).toEqual({ title: 'A', content: '1' })
})

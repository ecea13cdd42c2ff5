import type { Define } from '@ithings/contract/thing-model/define.ts'
import { expect, test } from 'vitest'
import { checkParams, checkValue } from './value-issues.ts'

const speed: Define = { type: 'int', min: '0', max: '3000', step: '10' }
const phase: Define = {
  type: 'struct',
  specs: [
    { identifier: 'ia', name: 'A 相', dataType: { type: 'float', min: '0', max: '400' } },
    { identifier: 'list', name: '峰值', dataType: { type: 'array', arrayInfo: speed } },
  ],
}

test('thing-model 4: a value that fits has no issue', () => {
  expect(checkValue(phase, { ia: 12.5, list: [10, 3000] }, '电流').size).toBe(0)
})

test('each fault lands at its own field, however deep', () => {
  const issues = checkValue(phase, { ia: 401, list: [10, 15, 4000] }, '电流', 'phase')
  expect([...issues.keys()]).toEqual(['phase.ia', 'phase.list.1', 'phase.list.2'])
  expect(issues.get('phase.ia')).toContain('0–400')
  expect(issues.get('phase.list.1')).toContain('步长 10')
})

test('a member may be missing, the whole value may not', () => {
  expect(checkValue(phase, { ia: 1 }, '电流').size).toBe(0)
  expect(checkValue(phase, {}, '电流').get('')).toBe('电流 至少要填一个成员')
  expect(checkValue(speed, undefined, '转速').get('')).toBe('转速不能为空')
})

test('an empty array is refused here, because the platform would ignore it', () => {
  expect(checkValue({ type: 'array', arrayInfo: speed }, [], '转速').get('')).toBe('转速 至少要有一个元素')
})

test('every declared parameter of an action must be given', () => {
  const params = [
    { identifier: 'speed', name: '转速', define: speed },
    { identifier: 'why', name: '原因', define: { type: 'string' as const, max: '4' } },
  ]
  expect([...checkParams(params, { speed: 10 })]).toEqual([['why', '原因不能为空']])
  expect(checkParams(params, { speed: 10, why: '检修' }).get('why')).toContain('最长 4 字节')
})

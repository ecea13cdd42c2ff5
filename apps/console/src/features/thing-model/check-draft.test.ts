import { functionsOf } from '@ithings/contract/thing-model/affordance.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { checkDraft } from './check-draft.ts'
import {
  type DefineDraft,
  draftOf,
  emptyDefine,
  emptyDraft,
  type FunctionDraft,
  type MemberDraft,
  newMember,
} from './function-draft.ts'
import { pumpStation } from './testing/pump-station.ts'

const none = new Map<string, string>()
const property = (define: Partial<DefineDraft>): FunctionDraft => ({
  ...emptyDraft(),
  identifier: 'p',
  name: '属性',
  define: { ...emptyDefine(define.type), ...define },
})
const found = (draft: FunctionDraft, taken = none) =>
  checkDraft(draft, taken).map(({ path, text }) => `${path} ${text}`)
const member = (key: string, identifier: string, define: Partial<DefineDraft> = {}): MemberDraft => ({
  key,
  identifier,
  name: '成员',
  define: { ...emptyDefine(define.type ?? 'int'), ...define },
})

test('every function of a stored model is without fault', () => {
  for (const part of functionsOf(readTslText(pumpStation).model)) expect(checkDraft(draftOf(part), none)).toEqual([])
})

test('a fresh form has faults, but none that is shown before saving', () => {
  const issues = checkDraft(emptyDraft(), none)
  expect(issues.map((issue) => issue.path).toSorted()).toEqual(['identifier', 'name'])
  expect(issues.every((issue) => issue.blank)).toBe(true)
})

test('screens.md 4.2: numbers are compared as numbers, min at most max', () => {
  expect(found(property({ type: 'int', min: '9', max: '10', start: '9' }))).toEqual([])
  expect(found(property({ type: 'int', min: '100', max: '20', start: '50', step: '1' }))).toEqual([
    'define.max 最大值 20 小于最小值 100',
  ])
})

test('the start lies in the range and the step is above zero', () => {
  expect(found(property({ type: 'float', min: '0', max: '10', start: '11', step: '0' }))).toEqual([
    'define.start 初始值 11 须在 0–10 之间',
    'define.step 步长须大于 0，收到 0',
  ])
  expect(found(property({ type: 'int', start: '1.5' }))).toEqual(['define.start 初始值必须是整数，收到 1.5'])
  expect(found(property({ type: 'int', min: '0', max: '10', start: '', step: '20' }))).toEqual([
    'define.step 步长 20 大于数值范围',
  ])
})

test('a doubled key of an enumeration is named at the second row, with the first one', () => {
  const items = [
    { key: 'a', value: '2', label: '检修' },
    { key: 'b', value: '2', label: '应急' },
    { key: 'c', value: '1.5', label: '' },
  ]
  expect(found(property({ type: 'enum', items }))).toEqual([
    'define.items.b.value 键值 2 与「检修」重复，请换一个未使用的整数',
    'define.items.c.value 枚举取值必须是整数，收到 1.5',
    'define.items.c.label 取值 1.5 的说明不能为空',
  ])
})

test('labels and texts keep their limits', () => {
  expect(found(property({ type: 'bool', off: '停'.repeat(21), on: '运行' }))).toEqual([
    'define.off 取值 0 的说明最长 20 个字符，收到 21 个',
  ])
  expect(found(property({ type: 'string', length: '0' }))).toEqual(['define.length 最大长度至少为 1，收到 0'])
  expect(found({ ...property({ type: 'timestamp' }), desc: '长'.repeat(81) })).toEqual([
    'desc 描述最长 80 个字符，收到 81 个',
  ])
})

test('members of a struct have names of their own, and faults inside land in their row', () => {
  const members = [member('a', 'x'), member('b', 'x', { type: 'float', min: '5', max: '1', start: '' })]
  expect(found(property({ type: 'struct', members }))).toEqual([
    'define.members.b.identifier 标识符 x 重复',
    'define.members.b.define.max 最大值 1 小于最小值 5',
  ])
  expect(found(property({ type: 'struct', members: [] }))).toEqual(['define.members 结构体至少要有一个成员'])
})

test('nesting has an end', () => {
  const deep = (depth: number): DefineDraft =>
    depth === 0 ? emptyDefine('int') : { ...emptyDefine('array'), element: deep(depth - 1) }
  expect(found(property(deep(4)))).toEqual([])
  expect(found(property(deep(5)))).toEqual([`define${'.element'.repeat(5)}.type 嵌套不能超过 5 层`])
})

test('an identifier of another function is refused with its name', () => {
  expect(found(property({ type: 'timestamp' }), new Map([['p', '1 号泵']]))).toEqual([
    'identifier 标识符 p 已被「1 号泵」使用',
  ])
})

test('parameters of events and actions are checked like members, and counted', () => {
  const event: FunctionDraft = { ...emptyDraft(2), identifier: 'e', name: '事件', params: [member('a', '1x')] }
  expect(found(event)).toEqual([
    'params.a.identifier 标识符 1x 须以字母或下划线开头，只含字母、数字、下划线，最长 128 位',
  ])
  const many = Array.from({ length: 21 }, (_, at) => ({ ...newMember(), identifier: `p${at}`, name: '参数' }))
  const action: FunctionDraft = { ...emptyDraft(3), identifier: 'a', name: '行为', output: many }
  expect(found(action)).toEqual(['output 参数最多 20 个，收到 21 个'])
})

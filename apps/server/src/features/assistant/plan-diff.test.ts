import { ChangeAct } from '@ithings/contract/features/plans.ts'
import { expect, test } from 'vitest'
import { planDiff } from './plan-diff.ts'

const base = { kind: 'scene', name: '夜间关灯', problem: '' } as const

test('an update shows the members that differ, and nothing else', () => {
  const before = { status: 1, when: [{ value: 30, op: '>' }], note: 'same' }
  const after = { status: 1, when: [{ value: 35, op: '>' }, { value: 1 }], note: 'same' }
  expect(planDiff([{ ...base, act: ChangeAct.update, before, after }])).toBe(
    '~ scene 夜间关灯\n    when.0.value: 30 -> 35\n    when.1: (nothing) -> {"value":1}',
  )
})

test('what is new and what goes is shown with its members; a problem stands first', () => {
  const text = planDiff([
    { ...base, act: ChangeAct.create, after: { status: 1 }, problem: '产品不存在' },
    { ...base, act: ChangeAct.delete, before: { status: 2 } },
  ])
  expect(text.split('\n')).toEqual([
    '+ scene 夜间关灯',
    '    problem: 产品不存在',
    '    status: (nothing) -> 1',
    '- scene 夜间关灯',
    '    status: 2 -> (nothing)',
  ])
})

test('a plan without changes says so', () => {
  expect(planDiff([])).toBe('(no changes)')
})

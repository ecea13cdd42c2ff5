import { expect, test } from 'vitest'
import {
  append,
  changeItem,
  groupItem,
  hasRoom,
  type Joint,
  jointOf,
  liftItem,
  moveItem,
  removeItem,
  setJoint,
  setJointAt,
} from './condition-tree.ts'
import type { ConditionItem } from './draft.ts'

const leaf = (key: string, netCondition: Joint = 'and'): ConditionItem => ({
  key,
  part: { columnType: 'sysTime', columnTime: { type: 'cron', cron: key }, netCondition },
  terms: [],
})
const keys = (list: readonly ConditionItem[]): unknown[] =>
  list.map(({ key, terms }) => (terms.length > 0 ? [key, keys(terms)] : key))
const joints = (list: readonly ConditionItem[]) => list.map(({ part }) => part.netCondition)

test('the last relation of a list joins nothing', () => {
  expect(jointOf([leaf('a', 'or'), leaf('b', 'and')])).toBe('or')
  expect(jointOf([leaf('a', 'or'), leaf('b', 'and'), leaf('c')])).toBeUndefined()
  expect(jointOf([leaf('a', 'or')])).toBe('and')
})

test('what is added joins like the others; in a mixed list only the new relation is set', () => {
  expect(joints(append([leaf('a', 'or'), leaf('b', 'and')], leaf('c')))).toEqual(['or', 'or', 'or'])
  expect(joints(append([leaf('a', 'or'), leaf('b', 'and'), leaf('c', 'or')], leaf('d')))).toEqual([
    'or',
    'and',
    'and',
    'and',
  ])
  expect(keys(append([], leaf('a')))).toEqual(['a'])
})

test('a click changes one relation of a mixed list or all of an equal one', () => {
  expect(joints(setJointAt([leaf('a'), leaf('b'), leaf('c')], 1, 'or'))).toEqual(['and', 'or', 'and'])
  expect(joints(setJoint([leaf('a'), leaf('b', 'or')], 'or'))).toEqual(['or', 'or'])
})

test('relations stay in their place when conditions move', () => {
  const moved = moveItem([leaf('a', 'or'), leaf('b', 'and'), leaf('c', 'and')], 'c', -1)
  expect(keys(moved)).toEqual(['a', 'c', 'b'])
  expect(joints(moved)).toEqual(['or', 'and', 'and'])
  expect(keys(moveItem(moved, 'a', -1))).toEqual(['a', 'c', 'b'])
})

test('a move finds its condition inside groups', () => {
  const group = { ...groupItem([leaf('b'), leaf('c')], 'or'), key: 'g' }
  expect(keys(moveItem([leaf('a'), group], 'c', -1))).toEqual(['a', ['g', ['c', 'b']]])
})

test('a group goes with its last condition; a condition with terms stays', () => {
  const group = { ...groupItem([leaf('b')], 'and'), key: 'g' }
  expect(keys(removeItem([leaf('a'), group], 'b'))).toEqual(['a'])
  const parent: ConditionItem = { ...leaf('p'), terms: [leaf('t')] }
  parent.part.childrenCondition = 'or'
  const [left] = removeItem([parent], 't')
  expect(left?.part).toEqual({ columnType: 'sysTime', columnTime: { type: 'cron', cron: 'p' }, netCondition: 'and' })
})

test('a condition leaves its group behind it, the last one in its place', () => {
  const group = { ...groupItem([leaf('b'), leaf('c')], 'or'), key: 'g' }
  const once = liftItem([leaf('a'), group, leaf('d')], 'b')
  expect(keys(once)).toEqual(['a', ['g', ['c']], 'b', 'd'])
  expect(jointOf(once)).toBe('and')
  expect(keys(liftItem(once, 'c'))).toEqual(['a', 'c', 'b', 'd'])
})

test('a condition out of the inner group lands in the outer one', () => {
  const inner = { ...groupItem([leaf('b'), leaf('c')], 'and'), key: 'in' }
  const outer = { ...groupItem([inner], 'and'), key: 'out' }
  expect(keys(liftItem([outer], 'c'))).toEqual([['out', [['in', ['b']], 'c']]])
})

test('a change reaches any depth and leaves the others as they are', () => {
  const other = leaf('a')
  const [same, changed] = changeItem([other, groupItem([leaf('b')], 'and')], 'b', (item) => ({
    ...item,
    part: { ...item.part, columnType: 'event' },
  }))
  expect(same).toBe(other)
  expect(changed?.terms[0]?.part.columnType).toBe('event')
})

test('fifty conditions and groups are the most', () => {
  const many = Array.from({ length: 49 }, (_, at) => leaf(String(at)))
  expect(hasRoom(many)).toBe(true)
  expect(hasRoom(many, 2)).toBe(false)
})

import type { Group } from '@ithings/contract/features/groups.ts'
import { expect, test } from 'vitest'
import { ancestorsOf, findNode, type GroupNode, groupTree, heightOf, refusePlace } from './group-tree.ts'

const group = (groupID: string, parentID: string, groupName: string): Group => ({
  groupID,
  parentID,
  groupName,
  productID: '',
  productName: '',
  desc: '',
  tags: [],
  createdTime: '0',
  projectID: '0',
  deviceCount: 0,
  totalCount: 0,
  onlineCount: 0,
  rev: 0,
})
// Children may come before their parents.
const groups = [group('4', '3', '朝阳'), group('2', '1', '华北'), group('3', '2', '北京'), group('5', '1', '华南')]
const tree = groupTree(groups)
const node = (groupID: string): GroupNode | undefined => findNode(tree, groupID)

test('spec 3: the flat list becomes nodes with their children, three levels deep', () => {
  const shape = (nodes: GroupNode[]): unknown[] =>
    nodes.map(({ group: { groupID, groupName }, level, children }) => [groupID, groupName, level, shape(children)])
  expect(shape(tree)).toEqual([
    ['2', '华北', 1, [['3', '北京', 2, [['4', '朝阳', 3, []]]]]],
    ['5', '华南', 1, []],
  ])
})

test('the way to a group is named from the top', () => {
  expect(ancestorsOf(groups, '4').map(({ groupName }) => groupName)).toEqual(['华北', '北京'])
  expect(ancestorsOf(groups, '2')).toEqual([])
})

test('a group cannot lie below the third level, nor take its own groups deeper', () => {
  expect(refusePlace(node('3'))).toBeUndefined()
  expect(refusePlace(node('4'))).toContain('最多 3 层')
  expect(tree.map(heightOf)).toEqual([3, 1])
  expect(refusePlace(node('5'), node('2'))).toContain('会有 4 层')
  expect(refusePlace(node('5'), node('3'))).toBeUndefined()
})

test('a group cannot lie below itself or what is below it', () => {
  for (const below of ['2', '3', '4']) expect(refusePlace(node(below), node('2'))).toContain('自己')
})

import type { Group } from '@ithings/contract/features/groups.ts'
import { expect, test } from 'vitest'
import { groupTree } from '#blocks/group-tree.ts'
import { deletionText, searchTree } from './tree-view.ts'

const group = (groupID: string, parentID: string, groupName: string, totalCount = 0): Group => ({
  groupID,
  parentID,
  groupName,
  productID: '',
  productName: '',
  desc: '',
  tags: groupName === '海淀区' ? [{ key: '期次', value: '二期' }] : [],
  createdTime: '0',
  projectID: '0',
  deviceCount: 0,
  totalCount,
  onlineCount: 0,
  rev: 1,
})

const tree = groupTree([
  group('2', '1', '北京', 1200),
  group('3', '2', '朝阳区'),
  group('4', '2', '海淀区'),
  group('5', '1', '上海'),
])
const names = (text: string) =>
  searchTree(tree, text).map((node) => [node.group.groupName, node.children.map((child) => child.group.groupName)])

test('a search keeps the way to what matches', () => {
  expect(names('朝阳')).toEqual([['北京', ['朝阳区']]])
})

test('a matching group keeps everything below it', () => {
  expect(names('北京')).toEqual([['北京', ['朝阳区', '海淀区']]])
})

test('tags are searched too, and blanks find everything', () => {
  expect(names('二期')).toEqual([['北京', ['海淀区']]])
  expect(names('  ')).toHaveLength(2)
  expect(names('广州')).toEqual([])
})

test('a deletion names the groups and counts the devices', () => {
  const [beijing, shanghai] = tree
  expect(beijing && deletionText(beijing)).toBe(
    '它的 2 个子分组一起删除：「朝阳区」「海淀区」。1,200 台设备将离开这些分组，设备本身和数据都保留。删除后无法恢复。',
  )
  expect(shanghai && deletionText(shanghai)).toBe('它没有子分组。没有设备受影响。删除后无法恢复。')
})

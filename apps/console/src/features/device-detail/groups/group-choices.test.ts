import type { Group } from '@ithings/contract/features/groups.ts'
import { expect, test } from 'vitest'
import { groupChoices, groupPath } from './group-choices.ts'

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
const groups = [group('2', '1', '华北'), group('3', '2', '北京'), group('4', '3', '朝阳'), group('5', '1', '华南')]

test('groups that the device is in are shown but cannot be chosen; those below them can', () => {
  expect(groupChoices(groups, new Set(['3']))).toEqual([
    {
      value: '2',
      label: '华北',
      disabled: false,
      children: [
        {
          value: '3',
          label: '北京（已加入）',
          disabled: true,
          children: [{ value: '4', label: '朝阳', disabled: false, children: [] }],
        },
      ],
    },
    { value: '5', label: '华南', disabled: false, children: [] },
  ])
})

test('screens.md 6.11: a group is named with the way to it', () => {
  expect(groupPath(groups, { groupID: '4', groupName: '朝阳' })).toBe('华北 / 北京 / 朝阳')
  expect(groupPath(groups, { groupID: '5', groupName: '华南' })).toBe('华南')
})

test('while the tree is not read yet the name stands alone', () => {
  expect(groupPath([], { groupID: '4', groupName: '朝阳' })).toBe('朝阳')
})

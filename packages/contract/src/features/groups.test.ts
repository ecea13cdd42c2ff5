import { expect, test } from 'vitest'
import { createGroup, group, listGroups, maxGroupLevels, rootGroupID, updateGroupBody } from './groups.ts'

test('spec 3: a node of the group tree carries groupID as text, its name and its parent', () => {
  const { groupID, parentID, groupName } = group.shape
  expect(groupID.parse('12')).toBe('12')
  expect(groupID.safeParse(12).success).toBe(false)
  expect(parentID.parse(String(rootGroupID))).toBe('1')
  expect(groupName.parse('华北')).toBe('华北')
})

test('a new group lies at the top unless a parent is named', () => {
  expect(createGroup.body.parse({ groupName: '华北' }).parentID).toBe(rootGroupID)
  expect(createGroup.body.parse({ groupName: '北京', parentID: '7' }).parentID).toBe(7)
  expect(maxGroupLevels).toBe(3)
})

test('a parent of "" or 0 leaves a group where it is', () => {
  for (const parentID of ['', 0, '0']) {
    expect(updateGroupBody.parse({ groupID: '3', parentID }).parentID).toBeUndefined()
  }
  expect(updateGroupBody.parse({ groupID: '3', parentID: '1' }).parentID).toBe(rootGroupID)
})

test('the list answers a page and, beside it, all groups', () => {
  expect(Object.keys(listGroups.data.shape).toSorted()).toEqual(['list', 'listAll', 'total'])
})

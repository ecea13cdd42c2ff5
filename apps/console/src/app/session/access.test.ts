import { expect, test } from 'vitest'
import { canAdmin, refusalOf } from './access.ts'

const admin = { role: 1 }
const user = { role: 3 }
const permitted = new Set(['/deviceMangers/product/index', '/systemMangers/user/index'])

test('canAdmin is role 1 only (spec 6)', () => {
  expect([1, 2, 3, 4, 0].map((role) => canAdmin({ role }))).toEqual([true, false, false, false, false])
})

test('a route in the menu is open, one that is not is refused', () => {
  expect(refusalOf({ path: '/deviceMangers/product/index' }, permitted, user)).toBeUndefined()
  expect(refusalOf({ path: '/deviceMangers/group/index' }, permitted, user)).toBe('not-in-menu')
})

test('/systemMangers is for admins even when a menu entry was given (spec 6)', () => {
  expect(refusalOf({ path: '/systemMangers/user/index' }, permitted, user)).toBe('needs-admin')
  expect(refusalOf({ path: '/systemMangers/user/index' }, permitted, admin)).toBeUndefined()
})

test('a path that only begins like the admin group is not admin only', () => {
  const path = '/systemMangersX/index'
  expect(refusalOf({ path }, new Set([path]), user)).toBeUndefined()
})

test('a detail is open to those who have its list', () => {
  const detail = { path: '/deviceMangers/product/detail/:id', parent: '/deviceMangers/product/index' }
  expect(refusalOf(detail, permitted, user)).toBeUndefined()
  expect(refusalOf(detail, new Set(), user)).toBe('not-in-menu')
})

test('the profile needs no menu entry', () => {
  expect(refusalOf({ path: '/account/index', everyone: true }, new Set(), user)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { createRoleBody, listRoles, updateRoleApis, updateRoleMenus } from './roles.ts'

test('a role needs a name of 1 to 32 characters', () => {
  expect(createRoleBody.parse({ name: ' 值班 ', status: 1 })).toEqual({ name: '值班', status: 1 })
  expect(createRoleBody.safeParse({ name: '' }).success).toBe(false)
  expect(createRoleBody.safeParse({ name: '值'.repeat(33) }).success).toBe(false)
})

test('a role status that is not a number of the enumeration is refused', () => {
  expect(createRoleBody.safeParse({ name: '值班', status: Number.NaN }).success).toBe(false)
  expect(createRoleBody.safeParse({ name: '值班', status: 3 }).success).toBe(false)
  expect(listRoles.body.parse({ status: 0 }).status).toBeUndefined()
})

test('menus and APIs of a role are replaced as whole lists', () => {
  expect(updateRoleMenus.body.parse({ id: 3, roleID: 3, menuID: ['2', 5] })).toEqual({ id: 3, menuID: [2, 5] })
  expect(updateRoleMenus.body.safeParse({ id: 3 }).success).toBe(false)
  expect(updateRoleApis.body.parse({ roleID: '3', list: [{ route: '/api/v1/x', method: '2' }] })).toEqual({
    roleID: 3,
    list: [{ route: '/api/v1/x', method: 2 }],
  })
  expect(updateRoleApis.body.safeParse({ roleID: 3, list: [{ route: '/api/v1/x', method: 'POST' }] }).success).toBe(
    false,
  )
})

import { createRole, listRoles, viewRole } from '@ithings/contract/features/roles.ts'
import { listUsers, login } from '@ithings/contract/features/users.ts'
import { expect, test } from 'vitest'
import { makePreview } from './preview.ts'
import { guardedStore } from './text-store.ts'

function setUp() {
  const store = guardedStore(() => {
    throw new Error('memory only')
  })
  let user = '7'
  const become = (next: string) => {
    user = next
  }
  return { preview: makePreview(store, () => user), become }
}

test('while a role is previewed only what it may read is sent, and the preview itself', () => {
  const { preview } = setUp()
  expect(preview.refusal(createRole)).toBeUndefined()
  preview.start(3)
  preview.withhold([listRoles.path, viewRole.path])
  expect(preview.refusal(createRole)).toMatchObject({ httpStatus: 403, message: expect.stringContaining('只能查看') })
  expect(preview.refusal(listRoles)).toMatchObject({ httpStatus: 403, message: '权限不足' })
  expect([listUsers, viewRole, login].map(preview.refusal)).toEqual([undefined, undefined, undefined])
  preview.end()
  expect(preview.refusal(createRole)).toBeUndefined()
})

test('it belongs to who began it: nobody else who signs in, and nobody signed out, is in it', () => {
  const { preview, become } = setUp()
  preview.start(3)
  expect(preview.roleID()).toBe(3)
  for (const other of ['8', '']) {
    become(other)
    expect(preview.roleID()).toBeUndefined()
  }
})

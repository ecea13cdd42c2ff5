import { createRole, updateRoleApis } from '@ithings/contract/features/roles.ts'
import { createUser, listUsers, logout, resetPassword, updateUser } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { openWorld, type World } from '#testing/world.ts'

let first: World
let second: World
let operator: { userID: string; role: number }

beforeAll(async () => {
  first = await openWorld()
  second = await openWorld({ databaseUrl: first.url })
  const { id } = await first.asAdmin(createRole, { name: '值班员' })
  await first.asAdmin(updateRoleApis, { roleID: id, list: [{ route: listUsers.path, method: 2 }] })
  const { userID } = await first.asAdmin(createUser, { userName: 'zhouyuan', password: 'Duty-2026', role: id })
  operator = { userID, role: id }
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const statusOn = async (world: World, token: string) => (await world.call(listUsers, {}, { token })).status

test('a token issued by one server is good on the other', async () => {
  const token = await first.signIn('zhouyuan', 'Duty-2026')
  expect(await statusOn(second, token)).toBe(200)
})

test('a right taken away on one server is refused by the other', async () => {
  const token = await second.signIn('zhouyuan', 'Duty-2026')
  expect(await statusOn(second, token)).toBe(200)
  await first.asAdmin(updateRoleApis, { roleID: operator.role, list: [] })
  await eventually(async () => expect(await statusOn(second, token)).toBe(403))
  await first.asAdmin(updateRoleApis, { roleID: operator.role, list: [{ route: listUsers.path, method: 2 }] })
  await eventually(async () => expect(await statusOn(second, token)).toBe(200))
})

test('signing out on one server ends the session on the other', async () => {
  const token = await second.signIn('zhouyuan', 'Duty-2026')
  expect(await statusOn(second, token)).toBe(200)
  expect((await first.call(logout, {}, { token })).code).toBe(200)
  await eventually(async () => expect(await statusOn(second, token)).toBe(401))
})

test('a session signed out before a server started stays out on it', async () => {
  const token = await first.signIn('zhouyuan', 'Duty-2026')
  await first.call(logout, {}, { token })
  const third = await openWorld({ databaseUrl: first.url })
  try {
    expect(await statusOn(third, token)).toBe(401)
  } finally {
    await third.close()
  }
})

test('a new password and a new role made on one server count on the other', async () => {
  const token = await second.signIn('zhouyuan', 'Duty-2026')
  expect(await statusOn(second, token)).toBe(200)
  await first.asAdmin(updateUser, { userID: operator.userID, role: 2 })
  await eventually(async () => expect(await statusOn(second, token)).toBe(403))
  await first.asAdmin(resetPassword, { userID: operator.userID, password: 'Other-2026' })
  await eventually(async () => expect(await statusOn(second, token)).toBe(401))
})

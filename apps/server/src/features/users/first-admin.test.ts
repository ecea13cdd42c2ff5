import { strongPassword } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { firstAccount } from './first-account.ts'
import { ensureFirstAdmin } from './first-admin.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(() => world.db.deleteFrom('app_user').execute())
afterAll(() => world.close())

test('without a given password a strong random one is made and told once', async () => {
  const password = await ensureFirstAdmin(world.db, undefined)
  expect(strongPassword(password ?? '')).toBe(true)
  await world.signIn(firstAccount, password ?? '')
  expect(await ensureFirstAdmin(world.db, undefined)).toBeUndefined()
  await world.signIn(firstAccount, password ?? '')
})

test('a given password is used and never told', async () => {
  expect(await ensureFirstAdmin(world.db, 'Given-2026')).toBeUndefined()
  await world.signIn(firstAccount, 'Given-2026')
})

test('a given password that is too weak or too common stops the start and makes nobody', async () => {
  await expect(ensureFirstAdmin(world.db, 'weak')).rejects.toThrow('ADMIN_PASSWORD is too weak')
  await expect(ensureFirstAdmin(world.db, 'Administrator1')).rejects.toThrow('ADMIN_PASSWORD is one of the passwords')
  expect(await world.db.selectFrom('app_user').select('user_id').execute()).toEqual([])
})

test('a given password does not change an administrator who exists', async () => {
  await ensureFirstAdmin(world.db, 'Given-2026')
  await ensureFirstAdmin(world.db, 'Other-2026')
  await world.signIn(firstAccount, 'Given-2026')
})

test('several servers that start at once make one administrator and one of them tells', async () => {
  const told = await Promise.all(Array.from({ length: 4 }, () => ensureFirstAdmin(world.db, undefined)))
  expect(told.filter((password) => password !== undefined)).toHaveLength(1)
  expect(await world.db.selectFrom('app_user').select('user_id').execute()).toHaveLength(1)
  await world.signIn(firstAccount, told.find((password) => password !== undefined) ?? '')
})

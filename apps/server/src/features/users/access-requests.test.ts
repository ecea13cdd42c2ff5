import {
  askForAccess,
  closeAccessRequest,
  listAccessRequests,
  readAccessHelp,
} from '@ithings/contract/features/access-requests.ts'
import { createPlan, listPlans, refusePlan } from '@ithings/contract/features/plans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

const path = '/deviceMangers/group/index'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const open = async () => (await world.asAdmin(listAccessRequests)).list

test('a page is asked for once, seen by administrators, dealt with and asked for again', async () => {
  const role = await makeRole(world)
  const person = await makeSignedIn(world, { role, nickName: '钱七' })
  const help = async () => (await world.call(readAccessHelp, { path }, person)).data
  expect(await help()).toMatchObject({ administrators: ['管理员'], asked: false })
  expect((await help()).roleName).not.toBe('')

  for (const _ of [1, 2]) expect(await world.call(askForAccess, { path }, person)).toMatchObject({ code: 200 })
  expect(await open()).toMatchObject([
    {
      userID: String(person.userID),
      nickName: '钱七',
      role,
      roleName: (await help()).roleName,
      path,
      menuName: '分组',
    },
  ])
  expect((await help()).asked).toBe(true)

  const closing = { userID: String(person.userID), path }
  // A second administrator who does the same finds nothing to complain about.
  for (const _ of [1, 2]) await world.asAdmin(closeAccessRequest, closing)
  expect(await open()).toEqual([])
  expect((await help()).asked).toBe(false)
  expect(await world.call(askForAccess, { path }, person)).toMatchObject({ code: 200 })
  expect(await open()).toHaveLength(1)
})

test('only pages of the menu can be asked for, and only roles that hold it see the requests', async () => {
  const person = await makeSignedIn(world, { role: await makeRole(world) })
  expect(await world.call(askForAccess, { path: '/nowhere' }, person)).toMatchObject({ code: 100009 })
  expect(await world.call(listAccessRequests, {}, person)).toMatchObject({ status: 403 })
  expect(await world.call(closeAccessRequest, { userID: '1', path }, person)).toMatchObject({ status: 403 })
  expect(await world.call(askForAccess, { path })).toMatchObject({ status: 401 })
})

test('the requests of a person go with him', async () => {
  const person = await makeSignedIn(world, { role: await makeRole(world) })
  await world.call(askForAccess, { path }, person)
  const mine = async () => (await open()).filter(({ userID }) => userID === String(person.userID)).length
  expect(await mine()).toBe(1)
  await world.db.deleteFrom('app_user').where('user_id', '=', person.userID).execute()
  expect(await mine()).toBe(0)
})

test('plans that wait for approval are counted beside the requests, until somebody decides', async () => {
  const plans = async () => (await world.asAdmin(listAccessRequests)).plans
  expect(await plans()).toBe(0)
  const objects = [{ kind: 'role' as const, name: '夜班', spec: {} }]
  const { id } = await world.asAdmin(createPlan, { title: '夜班的角色', objects })
  expect(await plans()).toBe(1)
  await world.asAdmin(refusePlan, { id })
  expect(await plans()).toBe(0)
  expect((await world.asAdmin(listPlans, {})).total).toBe(1)
})

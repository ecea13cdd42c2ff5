import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { BusinessType, type Endpoint, endpoint } from '@ithings/contract/endpoint.ts'
import { createApi, listApis, updateApi } from '@ithings/contract/features/apis.ts'
import { listRoleApis, updateRoleApis } from '@ithings/contract/features/roles.ts'
import { createUser, listUsers } from '@ithings/contract/features/users.ts'
import { nothing } from '@ithings/contract/wire.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { makeRole } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { syncApis } from './sync-apis.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const make = (path: string, fields: Partial<Endpoint> = {}): Endpoint => ({
  ...endpoint({
    path,
    access: 'role',
    name: '新接口',
    group: '新组',
    businessType: BusinessType.modify,
    body: z.object({}),
    data: nothing,
  }),
  ...fields,
})

const held = async (roleID: number) => (await world.asAdmin(listRoleApis, { roleID })).list.map((api) => api.route)
const registered = async (route: string) => (await world.asAdmin(listApis, { route })).list[0]

test('after the first start exactly the endpoints that are checked by role are registered as built-in', async () => {
  const { list } = await world.asAdmin(listApis)
  const checked = allEndpoints.filter(({ access }) => access === 'role')
  expect(list.map((api) => api.route).toSorted()).toEqual(checked.map(({ path }) => path).toSorted())
  expect(list.every((api) => api.builtIn && api.method === 2)).toBe(true)
  for (const { path, name, group, businessType } of checked) {
    expect(list.find((api) => api.route === path)).toMatchObject({ name, group, businessType })
  }
})

test('what administrators took from a built-in role stays taken after the next start', async () => {
  await world.asAdmin(updateRoleApis, { roleID: 3, list: [{ route: listUsers.path, method: 2 }] })
  await syncApis(world.db, allEndpoints)
  expect(await held(3)).toEqual([listUsers.path])
})

test('names, groups and business types follow the contract, unchanged rows are not touched', async () => {
  const before = (await world.asAdmin(listApis)).list
  await syncApis(
    world.db,
    allEndpoints.map((one) => (one === createUser ? { ...one, name: '建立用户', businessType: 5 } : one)),
  )
  const after = (await world.asAdmin(listApis)).list
  const changed = after.filter((api) => before.find((old) => old.id === api.id)?.rev !== api.rev)
  expect(changed).toMatchObject([{ route: createUser.path, name: '建立用户', businessType: 5, rev: 2 }])
  await syncApis(world.db, allEndpoints)
  expect(await registered(createUser.path)).toMatchObject({ name: createUser.name, businessType: 1, rev: 3 })
})

test('built-in rows that left the contract go together with the rights to them, hand-made rows stay', async () => {
  const old = make('/api/v1/things/old/index')
  await syncApis(world.db, [...allEndpoints, old])
  const role = await makeRole(world, [old, listUsers])
  const own = { route: '/api/v1/own/kept', method: 2, group: '自有', name: '自有', businessType: 4 }
  await world.asAdmin(createApi, own)
  await syncApis(world.db, allEndpoints)
  expect(await registered(old.path)).toBeUndefined()
  expect(await held(role)).toEqual([listUsers.path])
  expect(await held(2)).not.toContain(old.path)
  expect(await registered(own.route)).toMatchObject({ ...own, builtIn: false })
})

test('an endpoint that is no longer checked by role leaves the table', async () => {
  await syncApis(
    world.db,
    allEndpoints.map((one) => (one === listUsers ? { ...one, access: 'signed-in' as const } : one)),
  )
  expect(await registered(listUsers.path)).toBeUndefined()
  expect(await held(3)).not.toContain(listUsers.path)
})

test('a hand-made row that collides with a new endpoint becomes built-in and keeps its holders', async () => {
  const route = '/api/v1/things/taken/index'
  const { id } = await world.asAdmin(createApi, { route, method: 2, group: '自有', name: '自有', businessType: 4 })
  const role = await makeRole(world, [make(route)])
  await syncApis(world.db, [...allEndpoints, make(route)])
  expect(await registered(route)).toMatchObject({ id, builtIn: true, name: '新接口', group: '新组', businessType: 3 })
  expect(await held(role)).toEqual([route])
  expect(await held(2)).not.toContain(route)
  const refused = await world.call(updateApi, { id, name: 'x' }, { token: world.admin })
  expect(refused).toMatchObject({ code: 100006 })
})

test('several servers that start at once agree on one table', async () => {
  const fresh = ['a', 'b', 'c'].map((name) => make(`/api/v1/fresh/${name}/index`))
  await Promise.all(Array.from({ length: 6 }, () => syncApis(world.db, [...allEndpoints, ...fresh])))
  const { list } = await world.asAdmin(listApis, { route: '/api/v1/fresh/' })
  expect(list.map((api) => [api.route, api.rev])).toEqual(fresh.map(({ path }) => [path, 1]))
  expect((await held(2)).filter((path) => path.startsWith('/api/v1/fresh/')).toSorted()).toEqual(
    fresh.map(({ path }) => path),
  )
})

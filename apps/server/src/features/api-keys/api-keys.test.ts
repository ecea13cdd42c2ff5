import {
  createOwnKey,
  createServiceKey,
  KeyState,
  keyStart,
  listKeys,
  listOwnKeys,
  type ownKeyBody,
  revokeKey,
  revokeOwnKey,
  updateKey,
  updateOwnKey,
} from '@ithings/contract/features/api-keys.ts'
import { createDevice, deleteDevice, listDevices, readDevice } from '@ithings/contract/features/devices/info.ts'
import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import { createProduct, listProducts, readProduct, updateProduct } from '@ithings/contract/features/products.ts'
import { deleteRole } from '@ithings/contract/features/roles.ts'
import { changeOwnPassword, updateUserStatus } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })
const by = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

const makeOwn = async (fields: Partial<Parameters<typeof ownKeyBody.parse>[0] & object> = {}, token = world.admin) =>
  (await world.call(createOwnKey, { name: uniqueText('脚本'), ...fields }, { token })).data

async function makeProduct() {
  const productName = uniqueText('泵')
  const { data } = await world.call(createProduct, { productName }, asAdmin())
  return data.productID
}

const codeOf = async (asked: Promise<{ code: number }>) => (await asked).code

test('a key is told once, begins so that scanners find it, and calls what its owner may', async () => {
  const { id, key } = await makeOwn()
  expect(key).toMatch(new RegExp(`^${keyStart}[\\w-]{43}$`))
  expect((await world.call(listProducts, {}, by(key))).code).toBe(200)
  const { data } = await world.call(listOwnKeys, {}, asAdmin())
  const listed = data.list.find((one) => one.id === id)
  expect(listed).toMatchObject({ state: KeyState.valid, hint: key.slice(0, 10), apis: [] })
  expect(JSON.stringify(data)).not.toContain(key)
  const row = await world.db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(JSON.stringify({ ...row, hash: row.hash.toString() })).not.toContain(key.slice(12))
})

test.each([
  ['no key at all', 'Bearer '],
  ['a key that nobody made', `Bearer ${keyStart}${'x'.repeat(43)}`],
  ['half a key', `Bearer ${keyStart}abc`],
])('%s is refused', async (_name, authorization) => {
  const answer = await world.call(listProducts, {}, { headers: { authorization } })
  expect(answer.status).toBe(401)
})

test('a revoked key is refused at once, and stays in the list', async () => {
  const { id, key } = await makeOwn()
  expect(await codeOf(world.call(listProducts, {}, by(key)))).toBe(200)
  await world.call(revokeOwnKey, { id }, asAdmin())
  const answer = await world.call(listProducts, {}, by(key))
  expect(answer).toMatchObject({ status: 401, msg: 'API 密钥已撤销' })
  const { data } = await world.call(listKeys, { state: KeyState.revoked }, asAdmin())
  expect(data.list.map((one) => one.id)).toContain(id)
  expect((await world.call(updateOwnKey, { id, name: 'x' }, asAdmin())).msg).toContain('API 密钥已撤销')
})

test('a key ends at its time, and nobody makes one that has ended', async () => {
  const past = Math.floor(world.clock.now() / 1000) - 10
  expect(await world.call(createOwnKey, { name: 'x', expiresTime: past }, asAdmin())).toMatchObject({
    body: { field: 'expiresTime' },
  })
  const { id, key } = await makeOwn({ expiresTime: past + 3_600 })
  expect(await codeOf(world.call(listProducts, {}, by(key)))).toBe(200)
  const expires_at = new Date(world.clock.now() - 1_000)
  await world.db.updateTable('api_key').set({ expires_at }).where('id', '=', id).execute()
  // Tells every server to read it again.
  await world.call(updateOwnKey, { id, name: '采集' }, asAdmin())
  expect(await world.call(listProducts, {}, by(key))).toMatchObject({ status: 401, msg: 'API 密钥已过期' })
})

test('a key is used from its addresses only', async () => {
  const { id, key } = await makeOwn({ addresses: ['192.0.2.0/24'] })
  expect(await world.call(listProducts, {}, by(key))).toMatchObject({
    status: 401,
    msg: 'API 密钥不能从地址 127.0.0.1 使用',
  })
  await world.call(updateOwnKey, { id, addresses: ['192.0.2.0/24', '127.0.0.0/8'] }, asAdmin())
  expect(await codeOf(world.call(listProducts, {}, by(key)))).toBe(200)
  expect(await world.call(updateOwnKey, { id, addresses: ['pump'] }, asAdmin())).toMatchObject({ code: 100006 })
})

test('the APIs of a key narrow the rights of its owner, who can give it nothing that he has not', async () => {
  const { token } = await makeSignedIn(world, { role: await makeRole(world, [listProducts]) })
  const { key } = await makeOwn({ apis: [listProducts.path, listDevices.path] }, token)
  expect(await codeOf(world.call(listProducts, {}, by(key)))).toBe(200)
  expect(await world.call(listDevices, {}, by(key))).toMatchObject({ status: 403 })
  const { key: small } = await makeOwn({ apis: [listDevices.path] })
  expect(await world.call(listProducts, {}, by(small))).toMatchObject({
    status: 403,
    msg: '权限不足:这个 API 密钥不含「产品列表」',
  })
})

test('a key is no person: it makes no keys and changes no password', async () => {
  const { key } = await makeOwn()
  const password = { oldPwd: 'x', newPwd: 'y' }
  expect(await world.call(createOwnKey, { name: 'x' }, by(key))).toMatchObject({ status: 403 })
  expect(await world.call(changeOwnPassword, password as never, by(key))).toMatchObject({ status: 403 })
  expect(await world.call(createOwnKey, { name: 'x', apis: [createOwnKey.path] }, asAdmin())).toMatchObject({
    body: { field: 'apis' },
  })
})

test('whoever is disabled has no keys that work', async () => {
  const { token, userID } = await makeSignedIn(world, { role: 1 })
  const { key } = await makeOwn({}, token)
  expect(await codeOf(world.call(listProducts, {}, by(key)))).toBe(200)
  await world.call(updateUserStatus, { userID, status: 2 } as never, asAdmin())
  expect(await world.call(listProducts, {}, by(key))).toMatchObject({ status: 401 })
})

test('a key has so many calls a minute and says so', async () => {
  const { key } = await makeOwn({ perMinute: 2 })
  world.clock.stop()
  const call = () => world.call(listProducts, {}, by(key))
  expect((await call()).headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' })
  expect((await call()).status).toBe(200)
  const third = await call()
  expect(third).toMatchObject({ status: 429, headers: { 'x-ratelimit-remaining': '0' } })
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
  world.clock.advance(60_000)
  expect((await call()).status).toBe(200)
})

test('the operation log names the key beside its owner', async () => {
  const productID = await makeProduct()
  const { key } = await makeOwn({ name: '夜间同步' })
  const answer = await world.call(updateProduct, { productID, desc: '由脚本修改' } as never, by(key))
  const requestID = String(answer.headers['x-request-id'])
  const row = await eventually(async () => {
    const { data } = await world.call(listOperationLogs, { requestID }, asAdmin())
    expect(data.list).toHaveLength(1)
    return data.list[0]
  })
  expect(row?.operUserName).toMatch(/^\w+ \[itk_.{6}… 夜间同步\]$/)
})

test('a service account has a role, lives without a person, and holds its role', async () => {
  const roleID = await makeRole(world, [listProducts])
  const name = uniqueText('采集器')
  const { data } = await world.call(createServiceKey, { name, roleID }, asAdmin())
  expect(await codeOf(world.call(listProducts, {}, by(data.key)))).toBe(200)
  expect(await world.call(listDevices, {}, by(data.key))).toMatchObject({ status: 403 })
  expect(await world.call(deleteRole, { id: roleID }, asAdmin())).toMatchObject({ code: 100019 })
  await world.call(revokeKey, { id: data.id }, asAdmin())
  expect(await codeOf(world.call(deleteRole, { id: roleID }, asAdmin()))).toBe(200)
})

test('nobody gives a service account more than he has, or touches the key of somebody stronger', async () => {
  const role = await makeRole(world, [createServiceKey, updateKey, revokeKey])
  const { token } = await makeSignedIn(world, { role })
  expect(await world.call(createServiceKey, { name: 'x', roleID: 1 }, { token })).toMatchObject({ status: 403 })
  const { id } = await makeOwn()
  expect(await world.call(revokeKey, { id }, { token })).toMatchObject({ status: 403 })
  expect(await world.call(revokeOwnKey, { id }, { token })).toMatchObject({ code: 100009 })
})

test('a key of one product sees that product only', async () => {
  const [mine, other] = [await makeProduct(), await makeProduct()]
  for (const productID of [mine, other]) {
    await world.call(createDevice, { productID, deviceName: 'pump1' }, asAdmin())
  }
  const { key } = await makeOwn({ productID: mine })
  const { data } = await world.call(listDevices, {}, by(key))
  expect(data.list.map((device) => device.productID)).toEqual([mine])
  expect(await codeOf(world.call(readProduct, { productID: mine }, by(key)))).toBe(200)
  expect(await world.call(readProduct, { productID: other }, by(key))).toMatchObject({ status: 403 })
  expect(await world.call(listDevices, { productIDs: [other] }, by(key))).toMatchObject({ status: 403 })
  expect(await world.call(listProducts, {}, by(key))).toMatchObject({ status: 403 })
  expect(await world.call(createProduct, { productName: 'x' }, by(key))).toMatchObject({ status: 403 })
})

test('a key of a group sees the devices in it and below it only', async () => {
  const productID = await makeProduct()
  for (const deviceName of ['in1', 'out1']) await world.call(createDevice, { productID, deviceName }, asAdmin())
  const { data: top } = await world.call(createGroup, { groupName: uniqueText('厂'), parentID: 1 } as never, asAdmin())
  const groupID = Number(top.groupID)
  const below = { groupName: uniqueText('间'), parentID: groupID } as never
  const { data: child } = await world.call(createGroup, below, asAdmin())
  const list = [{ productID, deviceName: 'in1' }]
  await world.call(addGroupDevices, { groupID: Number(child.groupID), list } as never, asAdmin())
  const { key } = await makeOwn({ groupID })
  const { data } = await world.call(listDevices, {}, by(key))
  expect(data.list.map((device) => device.deviceName)).toEqual(['in1'])
  expect(await codeOf(world.call(readDevice, { productID, deviceName: 'in1' }, by(key)))).toBe(200)
  expect(await world.call(readDevice, { productID, deviceName: 'out1' }, by(key))).toMatchObject({ status: 403 })
  expect(await world.call(deleteDevice, { productID, deviceName: 'out1' }, by(key))).toMatchObject({ status: 403 })
  expect(await world.call(readProduct, { productID }, by(key))).toMatchObject({ status: 403 })
})

test('the last use is written down', async () => {
  const { id, key } = await makeOwn()
  await world.call(listProducts, {}, by(key))
  const { data } = await world.call(listOwnKeys, {}, asAdmin())
  expect(data.list.find((one) => one.id === id)).toMatchObject({ usedIP: '127.0.0.1', usedTime: expect.any(Number) })
  expect(data.list.find((one) => one.id === id)?.usedTime).toBeGreaterThan(0)
})

/** What is stored or named once is read in the language of the reader (docs/design/language.md). */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { toEnglish } from '@ithings/contract/english.ts'
import { listApis } from '@ithings/contract/features/apis.ts'
import { listHubLog, readTrace } from '@ithings/contract/features/history.ts'
import { listLoginLogs, listOperationLogs } from '@ithings/contract/features/logs.ts'
import { createMenu, listMenus, updateMenu } from '@ithings/contract/features/menus.ts'
import { deleteRole, listRoles, updateRole } from '@ithings/contract/features/roles.ts'
import { createUser, login, readResources, updateSelf } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDevice } from '#testing/mqtt-device.ts'
import { makeSignedIn, makeUser } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeConnected } from '#uplink/testing/full-product.ts'

let world: World
let device: TestDevice
beforeAll(async () => {
  world = await openWorld()
  device = await makeConnected(world)
})
afterAll(() => world.close())

const chinese = /\p{Script=Han}/u

const inLanguage =
  (language?: 'en') =>
  async <E extends Endpoint>(endpoint: E, body: object = {}): Promise<ReturnType<E['data']['parse']>> => {
    const headers: Record<string, string> = language ? { 'accept-language': language } : {}
    const { code, data } = await world.call(endpoint, body as never, { token: world.admin, headers })
    expect(code).toBe(200)
    return data as ReturnType<E['data']['parse']>
  }
const [zh, en] = [inLanguage(), inLanguage('en')]

test('the device log, the reason of a disconnection, and the trace of a message', async () => {
  const own = `${device.key.productID}/${device.key.deviceName}`
  const key = { productID: device.key.productID, deviceName: device.key.deviceName }
  await device.publishRaw(`$thing/up/property/${own}`, '{"method":5}')
  await device.client.endAsync()
  const linesIn = async (read: typeof zh) => (await read(listHubLog, key)).list
  await expect.poll(async () => (await linesIn(zh)).map(({ action }) => action)).toContain('disconnected')
  const find = async (read: typeof zh) => {
    const lines = await linesIn(read)
    const refused = lines.find(({ msg }) => msg !== '')
    const left = lines.find(({ action }) => action === 'disconnected')
    const { steps } = await read(readTrace, { tranceID: refused?.tranceID ?? '' })
    return [refused?.msg, JSON.parse(left?.content ?? '{}').reason, steps.map(({ name, text }) => `${name} ${text}`)[1]]
  }
  expect(await find(zh)).toEqual(['参数错误:缺少 method', '设备主动断开', '校验 参数错误:缺少 method'])
  expect(await find(en)).toEqual([
    'Invalid parameter: method is missing',
    'Device disconnected',
    'Checked Invalid parameter: method is missing',
  ])
})

test('the sign-in log: results, and places that are not known', async () => {
  const { userName } = await makeUser(world)
  const body = { account: userName, password: 'Wrong-1234', pwdType: 1, loginType: 'pwd' }
  await world.call(login, body, { ip: '192.168.1.9' })
  const find = async (read: typeof zh) => (await read(listLoginLogs, { userName })).list[0]
  expect(await find(zh)).toMatchObject({ msg: '账号或密码错误', loginLocation: '内网IP' })
  const row = await find(en)
  expect(row).toMatchObject({ loginLocation: 'Private network' })
  expect(row?.msg).not.toMatch(chinese)
})

test('the operation log: names of operations, and refusals', async () => {
  await world.call(deleteRole, { id: 2 }, { token: world.admin })
  const find = async (read: typeof zh) =>
    (await read(listOperationLogs, { uri: deleteRole.path })).list.map(({ operName, msg }) => [operName, msg])[0]
  await expect.poll(() => find(zh)).toEqual(['删除角色', '参数错误:内置角色「供应商」不能删除'])
  const [name, msg] = (await find(en)) ?? []
  expect(name).toBe('Delete role')
  expect(msg).toContain('Supplier')
  expect(msg).not.toMatch(chinese)
})

test('every endpoint and every group has an English name', () => {
  const names = [...new Set(allEndpoints.flatMap(({ name, group }) => [name, group]))]
  expect(names.filter((name) => chinese.test(toEnglish(name)))).toEqual([])
})

test('the list of APIs, with the roles that hold them', async () => {
  const find = async (read: typeof zh) => (await read(listApis, { route: createUser.path })).list[0]
  expect(await find(zh)).toMatchObject({ name: '新增用户', group: '用户管理' })
  expect(await find(en)).toMatchObject({ name: 'Add user', group: 'Users' })
})

test('built-in roles, and a form that sends back what it read renames nothing', async () => {
  const find = async (read: typeof zh) => (await read(listRoles)).list.find(({ id }) => id === 2)
  const stored = { name: '供应商', remark: '管理产品与设备，不含系统管理' }
  expect(await find(zh)).toMatchObject(stored)
  const { name, remark } = (await find(en)) ?? {}
  expect([name, remark]).toEqual(['Supplier', 'Manages products and devices, without system administration'])
  await en(updateRole, { id: 2, name, remark })
  expect(await find(zh)).toMatchObject(stored)
  await en(updateRole, { id: 2, name: '代理商' })
  expect(await find(en)).toMatchObject({ name: '代理商' })
})

test('menu entries: those of the platform, and those with an English name of their own', async () => {
  const find = async (read: typeof zh, id: number) => (await read(listMenus)).list.find((one) => one.id === id)
  expect(await find(zh, 21)).toMatchObject({ name: '产品' })
  const products = await find(en, 21)
  expect(products).toMatchObject({ name: 'Products' })
  expect(products).not.toHaveProperty('nameEn')
  const { parentID = 1, order = 1 } = products ?? {}
  await en(updateMenu, { id: 21, name: 'Products', parentID, order })
  expect(await find(zh, 21)).toMatchObject({ name: '产品' })
  const { id } = await zh(createMenu, { name: '值班表', nameEn: 'Duty roster' })
  for (const read of [zh, en]) expect(await find(read, id)).toMatchObject({ name: '值班表', nameEn: 'Duty roster' })
  expect((await en(listMenus, { name: 'roster' })).list.map((one) => one.id)).toContain(id)
})

test('who has chosen English in the console reads it without asking in each call', async () => {
  const { token } = await makeSignedIn(world, { role: 1 })
  const titles = async () => {
    const { data } = await world.call(readResources, {}, { token })
    return data.menu.filter(({ id }) => id === 21).map(({ name }) => name)
  }
  expect(await titles()).toEqual(['产品'])
  await world.call(updateSelf, { language: 'en_US' }, { token })
  await expect.poll(titles).toEqual(['Products'])
})

test('the API page and its document: in Chinese without a wish, in English by address or header', async () => {
  const read = async (url: string, headers: Record<string, string> = {}) =>
    (await world.app.http.inject({ url, headers })).body
  expect(await read('/api/openapi.json')).toContain('新增用户')
  for (const text of [
    await read('/api/openapi.json?lang=en'),
    await read('/api/openapi.json', { 'accept-language': 'en-US' }),
  ]) {
    expect(text).toContain('Add user')
    expect(text.match(chinese)).toBeNull()
  }
  expect(await read('/api/docs?lang=en')).toContain('/api/docs/start.js?lang=en')
  expect(await read('/api/docs/start.js?lang=en')).toContain('/api/openapi.json?lang=en')
  expect(await read('/api/docs')).toContain('"/api/docs/start.js"')
})

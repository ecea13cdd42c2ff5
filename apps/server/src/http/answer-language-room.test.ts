import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import { createProduct, readProduct, updateProduct } from '@ithings/contract/features/products.ts'
import { createRole } from '@ithings/contract/features/roles.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const english = { 'accept-language': 'en-US,en;q=0.9,zh;q=0.8' }

test.each([
  ['no header', {}, '未查询到:产品 nobody12345 不存在'],
  ['zh-CN', { 'accept-language': 'zh-CN' }, '未查询到:产品 nobody12345 不存在'],
  ['a language that is not spoken', { 'accept-language': 'de' }, '未查询到:产品 nobody12345 不存在'],
  ['English', english, 'Not found: There is no product nobody12345'],
])('%s: an unknown product is refused in that language', async (_name, headers, msg) => {
  const answer = await world.call(readProduct, { productID: 'nobody12345' }, { token: world.admin, headers })
  expect(answer).toMatchObject({ code: 100009, msg })
})

test('a permission is named in the language of the caller', async () => {
  const { data } = await world.call(createRole, { name: uniqueText('无权') }, { token: world.admin })
  const { token } = await makeSignedIn(world, { role: data.id })
  const ask = (headers: Record<string, string>) => world.call(createProduct, { productName: '泵' }, { token, headers })
  expect((await ask({})).msg).toBe('权限不足:你的角色没有「新增产品」的权限')
  expect((await ask(english)).msg).toBe('Permission denied: Your role does not have the permission “Add product”')
})

test('a path that nobody knows, and a body that is no JSON, are refused in English before any feature is asked', async () => {
  const unknown = await world.app.http.inject({ method: 'POST', url: '/api/v1/nothing', headers: english })
  expect(unknown.json()).toMatchObject({ msg: 'Not found: There is no path /api/v1/nothing' })
  const broken = await world.app.http.inject({
    method: 'POST',
    url: readProduct.path,
    payload: '{',
    headers: { ...english, 'content-type': 'application/json' },
  })
  expect(broken.json()).toMatchObject({ msg: 'Invalid parameter: The body is not valid JSON' })
})

test('the operation log is Chinese whatever the caller reads', async () => {
  const answer = await world.call(
    updateProduct,
    { productID: 'nobody12345', productName: '泵' },
    { token: world.admin, headers: english },
  )
  expect(answer.msg).toBe('Not found: There is no product nobody12345')
  const requestID = String(answer.headers['x-request-id'])
  const row = await eventually(async () => {
    const { data } = await world.call(listOperationLogs, { requestID }, { token: world.admin })
    expect(data.list).toHaveLength(1)
    return data.list[0]
  })
  expect(row).toMatchObject({ operName: '修改产品', code: '100009', msg: '未查询到:产品 nobody12345 不存在' })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { makePlatformApi } from './platform-api.ts'

const ends: Array<() => void> = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const rows = [
  { productID: 'p1', deviceName: 'a', deviceType: 1 },
  { productID: 'p1', deviceName: 'b', deviceType: 1 },
  { productID: 'pg', deviceName: 'gw', deviceType: 2 },
  { productID: 'p3', deviceName: 'sub', deviceType: 3 },
]

/** The platform as it is seen over the wire. */
async function open(captcha = false) {
  const calls: string[] = []
  const answers: Record<string, (body: Record<string, string>) => unknown> = {
    '/api/v1/system/user/login': () => ({ token: { accessToken: 'good' } }),
    '/api/v1/things/device/info/index': () => ({ list: rows, total: rows.length }),
    '/api/v1/things/device/info/secret-read': ({ deviceName }) => ({ secret: `secret of ${deviceName}` }),
    '/api/v1/things/device/gateway/index': () => ({ list: rows.slice(3), total: 1 }),
    '/api/v1/things/product/schema/tsl-read': () => ({ tsl: '{"properties":[],"events":[],"actions":[]}' }),
  }
  const server = createServer(async (request, response) => {
    const path = String(request.url)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    calls.push(path)
    const answer = answers[path]
    const login = path.endsWith('/login')
    const body =
      login && captcha
        ? { code: 1000005, msg: '验证码错误' }
        : login || request.headers['ithings-token'] === 'good'
          ? { code: 200, msg: 'success', data: answer?.(JSON.parse(Buffer.concat(chunks).toString())) }
          : { code: 1000007, msg: '尚未登录' }
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

const everything = { productIDs: [], deviceNames: [], limit: 100 }

test('devices come with their secrets and models, gateways with their sub-devices', async () => {
  const { url, calls } = await open()
  const api = makePlatformApi(url)
  await api.signIn('administrator', 'x')
  const members = await api.members(everything)
  expect(members.map(({ device }) => device.deviceName)).toEqual(['a', 'b', 'gw'])
  expect(members[0]?.device.secret).toBe('secret of a')
  expect(members[2]?.children?.map(({ device }) => device.secret)).toEqual(['secret of sub'])
  // A model is read once a product.
  expect(calls.filter((path) => path.endsWith('tsl-read'))).toHaveLength(3)
})

test('names and a limit choose among them', async () => {
  const { url } = await open()
  const api = makePlatformApi(url, 'good')
  expect(await api.members({ ...everything, deviceNames: ['b'] })).toHaveLength(1)
  expect(await api.members({ ...everything, limit: 2 })).toHaveLength(2)
})

test('refusals are told in words', async () => {
  await expect(makePlatformApi('http://127.0.0.1:9').signIn('a', 'b')).rejects.toThrow('无法连接平台')
  const { url } = await open(true)
  await expect(makePlatformApi(url).signIn('administrator', 'x')).rejects.toThrow('--token')
  await expect(makePlatformApi(url, 'bad').members(everything)).rejects.toThrow(
    '/api/v1/things/device/info/index 失败：1000007 尚未登录',
  )
})

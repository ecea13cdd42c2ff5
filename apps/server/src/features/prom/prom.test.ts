/** What chart tools ask, over HTTP on a real database: series, values, rights, limits of keys, forms and refusals. */
import { gunzipSync } from 'node:zlib'
import { createOwnKey } from '@ithings/contract/features/api-keys.ts'
import { createDevice, listDevices, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { promQuery } from '@ithings/contract/features/prom.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HistoryRoom, model, openHistoryRoom, productID } from '#features/history/testing/history-room.ts'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'

let room: HistoryRoom
let groupID: number
const other = 'P0000promth'
/** A full hour of today, so that all of it is in the past and nothing was packed yet. */
const hour = 3_600_000
let start: number
const seconds = (ms: number) => String(ms / 1000)

beforeAll(async () => {
  room = await openHistoryRoom()
  const { world } = room
  start = Math.floor(world.clock.now() / hour) * hour - 3 * hour
  await room.reset(start - hour)
  await world.asAdmin(createProduct, { productID: other, productName: '泵' })
  await world.asAdmin(importTsl, { productID: other, tsl: JSON.stringify({ ...model, profile: { productID: other } }) })
  await world.asAdmin(createDevice, { productID: other, deviceName: 'pump1' })
  const tags = [
    { key: 'floor', value: '3' },
    { key: '楼层', value: '三楼' },
  ]
  await world.asAdmin(updateDevice, { productID, deviceName: 'lamp1', deviceAlias: '一号灯', tags })
  const group = await world.asAdmin(createGroup, { groupName: '东区', parentID: 1 })
  groupID = Number(group.groupID)
  const below = await world.asAdmin(createGroup, { groupName: '一层', parentID: groupID })
  const list = [{ productID, deviceName: 'lamp1' }]
  await world.asAdmin(addGroupDevices, { groupID, list })
  await world.asAdmin(addGroupDevices, { groupID: Number(below.groupID), list })
  const minute = (n: number) => start + n * 60_000
  for (let n = 0; n <= 10; n++) {
    await room.report('lamp1', { temp: 20 + n, on: n % 2 === 0, place: { x: n % 10 } }, minute(n), minute(n))
    await room.report('lamp2', { temp: 40 - n }, minute(n), minute(n))
  }
})
afterAll(() => room.close())

interface Asked {
  headers?: Record<string, string>
  method?: 'GET' | 'POST'
  base?: string
}

async function ask(path: string, params: Record<string, string | string[]> = {}, asked: Asked = {}) {
  const { headers = { 'ithings-token': room.world.admin }, method = 'GET', base = '/api/v1/prom/api/v1' } = asked
  const pairs = Object.entries(params).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  const text = new URLSearchParams(pairs as [string, string][]).toString()
  const response = await room.world.app.http.inject(
    method === 'GET'
      ? { method, url: `${base}/${path}?${text}`, headers }
      : {
          method,
          url: `${base}/${path}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          payload: text,
        },
  )
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

const at = (n: number) => seconds(start + n * 60_000)
const query = (text: string, n: number, asked?: Asked) => ask('query', { query: text, time: at(n) }, asked)
const devicesOf = ({ body }: { body: { data: { result: { metric: Record<string, string> }[] } } }) =>
  body.data.result.map(({ metric }) => metric.device)

const makeKey = async (fields: object = {}, token = room.world.admin): Promise<string> =>
  (await room.world.call(createOwnKey, { name: uniqueText('图表'), ...fields }, { token })).data.key
const bearer = (key: string): Asked => ({ headers: { authorization: `Bearer ${key}` } })

test('a series has the labels of its product, device, groups and tags', async () => {
  const { status, body } = await query('temp{device="lamp1"}', 10)
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'success',
    data: {
      resultType: 'vector',
      result: [
        {
          metric: {
            __name__: 'temp',
            product: productID,
            product_name: '历史',
            device: 'lamp1',
            device_name: '一号灯',
            group: '东区,一层',
            tag_floor: '3',
            tag_楼层: '三楼',
          },
          value: [Number(at(10)), '30'],
        },
      ],
    },
  })
})

test('booleans are 1 and 0, members of structs have a metric of their own, what is no number has none', async () => {
  const value = async (text: string, n: number) =>
    (await query(text, n)).body.data.result.map((one: { value: [number, string] }) => one.value[1])
  expect(await value('{"on"}', 4)).toEqual(['1'])
  expect(await value('{__name__="on"}', 5)).toEqual(['0'])
  expect(await value('place_x', 7)).toEqual(['7'])
  expect(await value('{__name__=~"name|place|secretly"}', 7)).toEqual([])
})

test('a value is there for five minutes, or as long as the query says', async () => {
  const late = (more = {}) => ask('query', { query: 'temp{device="lamp1"}', time: at(40), ...more })
  expect(devicesOf(await query('temp{device="lamp1"}', 14))).toEqual(['lamp1'])
  expect(devicesOf(await late())).toEqual([])
  expect(devicesOf(await late({ lookback_delta: '1h' }))).toEqual(['lamp1'])
  expect(devicesOf(await late({ lookback_delta: '1799' }))).toEqual([])
})

test('values over time, at both addresses, by GET and by a form, also after they were packed', async () => {
  const params = { query: 'avg by (product_name) (temp)', start: at(0), end: at(10), step: '5m' }
  const expected = {
    status: 'success',
    data: {
      resultType: 'matrix',
      result: [{ metric: { product_name: '历史' }, values: [0, 5, 10].map((n) => [Number(at(n)), '30']) }],
    },
  }
  for (const method of ['GET', 'POST'] as const) {
    for (const base of ['/api/v1/prom', '/api/v1/prom/api/v1']) {
      expect((await ask('query_range', params, { method, base })).body).toEqual(expected)
    }
  }
  await room.pack(room.world.clock.now())
  expect((await ask('query_range', params)).body).toEqual(expected)
  const rate = await query('increase(temp{device="lamp1"}[10m])', 10)
  expect(rate.body.data.result[0].value[1]).toBe('10')
  const written = {
    ...params,
    start: new Date(start).toISOString(),
    end: new Date(start + 600_000).toISOString(),
    step: '300',
  }
  expect((await ask('query_range', written)).body).toEqual(expected)
})

test('ranges, scalars and texts are answered as Prometheus does', async () => {
  const range = await query('temp{device="lamp2"}[2m]', 10)
  expect(range.body.data).toMatchObject({
    resultType: 'matrix',
    result: [
      {
        values: [
          [Number(at(9)), '31'],
          [Number(at(10)), '30'],
        ],
      },
    ],
  })
  expect((await query('1 / 0', 0)).body.data).toEqual({ resultType: 'scalar', result: [Number(at(0)), '+Inf'] })
  expect((await query('"x"', 0)).body.data).toEqual({ resultType: 'string', result: [Number(at(0)), 'x'] })
  const { body } = await ask('query_range', { query: '1+1', start: at(0), end: at(1), step: '60' })
  expect(body.data.result).toEqual([
    {
      metric: {},
      values: [
        [Number(at(0)), '2'],
        [Number(at(1)), '2'],
      ],
    },
  ])
  const cut = await ask('query', { query: 'temp', time: at(10), limit: '1' })
  expect(cut.body).toMatchObject({ data: { result: [{}] }, warnings: ['results truncated due to limit'] })
})

test('the examples of the documentation: moments by RFC 3339 with milliseconds, a step of 15 s', async () => {
  const told = Date.parse('2015-07-01T20:10:20.781Z')
  await room.report('lamp3', { temp: 1 }, room.world.clock.now(), told)
  await room.report('lamp3', { temp: 0 }, room.world.clock.now(), told + 40_000)
  const instant = await ask('query', { query: 'temp', time: '2015-07-01T20:10:51.781Z' })
  expect(instant.body).toMatchObject({
    status: 'success',
    data: { resultType: 'vector', result: [{ metric: { device: 'lamp3' }, value: [1435781451.781, '1'] }] },
  })
  const [start, end] = ['2015-07-01T20:10:30.781Z', '2015-07-01T20:11:00.781Z']
  const range = await ask('query_range', { query: 'temp', start, end, step: '15s' })
  expect(range.body.data.result[0].values).toEqual([
    [1435781430.781, '1'],
    [1435781445.781, '1'],
    [1435781460.781, '0'],
  ])
})

test('a long answer travels compressed and whole', async () => {
  const params = new URLSearchParams({ query: 'time()', start: '0', end: '9999', step: '1' })
  const headers = { 'ithings-token': room.world.admin, 'accept-encoding': 'gzip' }
  const answer = await room.world.app.http.inject({ url: `/api/v1/prom/query_range?${params}`, headers })
  expect(answer.headers['content-encoding']).toBe('gzip')
  const { data } = JSON.parse(gunzipSync(answer.rawPayload).toString())
  expect(data.result[0].values).toHaveLength(10_000)
  expect(data.result[0].values.at(-1)).toEqual([9999, '9999'])
})

test('a JSON body is taken as everywhere, and the answer is that of the contract', async () => {
  const { world } = room
  const answer = await world.call(promQuery, { query: 'sum(temp)', time: Number(at(10)) }, { token: world.admin })
  expect(answer).toMatchObject({
    status: 200,
    body: { data: { result: [{ metric: {}, value: [Number(at(10)), '60'] }] } },
  })
})

test.each([
  ['{__name__="temp",device=~"lamp[12]"}', ['lamp1', 'lamp2']],
  ['temp{device=~"lamp1|lamp3"}', ['lamp1']],
  ['temp{device!="lamp1"}', ['lamp2']],
  ['temp{device_name="一号灯"}', ['lamp1']],
  ['temp{device_name=""}', ['lamp2']],
  ['temp{group="东区,一层"}', ['lamp1']],
  ['temp{group=~"(.*,)?一层(,.*)?"}', ['lamp1']],
  ['temp{group="一层"}', []],
  ['temp{tag_floor="3"}', ['lamp1']],
  ['temp{"tag_楼层"=~"三.*"}', ['lamp1']],
  ['temp{tag_floor!="3"}', ['lamp2']],
  ['temp{product_name="历史",tag_nothing=""}', ['lamp1', 'lamp2']],
  [`temp{product="${other}"}`, []],
])('%s finds its devices', async (text, devices) => {
  expect(devicesOf(await query(text, 10))).toEqual(devices)
})

test('labels, their values, series and words are listed', async () => {
  const names = ['__name__', 'device', 'device_name', 'group', 'product', 'product_name', 'tag_floor', 'tag_楼层']
  expect((await ask('labels')).body).toEqual({ status: 'success', data: names })
  const values = async (name: string, params = {}) => (await ask(`label/${name}/values`, params)).body.data
  expect(await values('__name__')).toEqual(['on', 'place_x', 'temp'])
  expect(await values('product')).toEqual([productID, other].toSorted())
  expect(await values('device', { 'match[]': [`temp{product="${other}"}`, '{"on",device=~"lamp1.*"}'] })).toEqual([
    'lamp1',
    'lamp10',
    'pump1',
  ])
  expect(await values('U__tag___697c__5c42_')).toEqual(['三楼'])
  expect(await values('__name__', { 'match[]': '{tag_floor="3"}' })).toEqual(['on', 'place_x', 'temp'])
  const cut = await ask('label/device/values', { limit: '2' })
  expect(cut.body).toMatchObject({ data: { length: 2 }, warnings: ['results truncated due to limit'] })
  const series = await ask('series', { 'match[]': '{__name__=~"on|temp",device="pump1"}' }, { method: 'POST' })
  expect(series.body.data).toEqual([
    { __name__: 'on', product: other, product_name: '泵', device: 'pump1' },
    { __name__: 'temp', product: other, product_name: '泵', device: 'pump1' },
  ])
  expect((await ask('metadata', { metric: 'temp' })).body.data).toEqual({
    temp: [{ type: 'gauge', help: 'temp', unit: '℃' }],
  })
  expect((await ask('status/buildinfo')).body.data.version).toMatch(/^3\./)
})

test.each([
  ['query', {}, 400, 'bad_data'],
  ['query', { query: 'temp{' }, 400, 'bad_data'],
  ['query', { query: 'temp', time: 'yesterday' }, 400, 'bad_data'],
  ['query', { query: 'temp', timeout: '-1s' }, 400, 'bad_data'],
  ['query', { query: 'temp', limit: 'x' }, 400, 'bad_data'],
  ['query', { query: 'histogram_quantile(0.9, temp)' }, 400, 'bad_data'],
  ['query_range', { query: 'temp', start: '0', end: '10' }, 400, 'bad_data'],
  ['query_range', { query: 'temp', start: '10', end: '0', step: '1' }, 400, 'bad_data'],
  ['query_range', { query: 'temp', start: '0', end: '11000', step: '1' }, 400, 'bad_data'],
  ['query_range', { query: 'temp[5m]', start: '0', end: '10', step: '1' }, 400, 'bad_data'],
  [
    'query',
    { query: 'vector(1) + on() group_left() (vector(1) or label_replace(vector(1), "a", "b", "", ""))' },
    422,
    'execution',
  ],
  // Half a million steps take longer than that on any machine.
  ['query', { query: 'sum_over_time(vector(1)[7d:1s])', timeout: '1ms' }, 503, 'timeout'],
  ['series', {}, 400, 'bad_data'],
  ['labels', { 'match[]': '1+1' }, 400, 'bad_data'],
])('%s with %o is refused with %i %s', async (path, params, status, errorType) => {
  const answer = await ask(path, params)
  expect(answer).toMatchObject({ status, body: { status: 'error', errorType, error: expect.any(String) } })
})

test('a refusal is said in the language that is asked for', async () => {
  const headers = { 'ithings-token': room.world.admin, 'accept-language': 'en' }
  const { body } = await query('nosuch(temp)', 0, { headers })
  expect(body.error).toBe('The function nosuch is not supported')
})

test('a key opens it as a bearer and as the password of a name, nobody else comes in', async () => {
  const key = await makeKey({ apis: [promQuery.path] })
  expect((await query('1', 0, bearer(key))).status).toBe(200)
  const basic = (password: string) => ({
    headers: { authorization: `Basic ${Buffer.from(`grafana:${password}`).toString('base64')}` },
  })
  expect((await query('1', 0, basic(key))).status).toBe(200)
  for (const asked of [basic('secret'), bearer(`${key.slice(0, -1)}!`), { headers: {} }]) {
    expect(await query('1', 0, asked)).toMatchObject({
      status: 401,
      body: { status: 'error', errorType: 'unauthorized' },
    })
  }
})

test('the right is one of the role and of the key, and calls are counted', async () => {
  const { token } = await makeSignedIn(room.world, { role: await makeRole(room.world, [listDevices]) })
  const refused = { status: 403, body: { status: 'error', errorType: 'forbidden' } }
  expect(await query('1', 0, { headers: { 'ithings-token': token } })).toMatchObject(refused)
  expect(await ask('labels', {}, { headers: { 'ithings-token': token } })).toMatchObject(refused)
  expect(await query('1', 0, bearer(await makeKey({ apis: [listDevices.path] })))).toMatchObject(refused)
  const holder = await makeSignedIn(room.world, { role: await makeRole(room.world, [promQuery]) })
  expect((await query('1', 0, { headers: { 'ithings-token': holder.token } })).status).toBe(200)
  const slow = await makeKey({ perMinute: 2 })
  room.world.clock.stop()
  for (const left of ['1', '0']) {
    expect((await query('1', 0, bearer(slow))).headers).toMatchObject({ 'x-ratelimit-remaining': left })
  }
  expect(await query('1', 0, bearer(slow))).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.any(String) },
    body: { errorType: 'too_many_requests' },
  })
})

test('a key of one product or group sees the series of that one only', async () => {
  const ofGroup = bearer(await makeKey({ groupID }))
  expect(devicesOf(await query('temp', 10, ofGroup))).toEqual(['lamp1'])
  expect((await ask('label/device/values', {}, ofGroup)).body.data).toEqual(['lamp1'])
  expect((await ask('label/product/values', {}, ofGroup)).body.data).toEqual([productID])
  const empty = await room.world.asAdmin(createGroup, { groupName: '西区', parentID: 1 })
  const ofNobody = bearer(await makeKey({ groupID: Number(empty.groupID) }))
  for (const path of ['labels', 'label/__name__/values']) expect((await ask(path, {}, ofNobody)).body.data).toEqual([])
  expect((await ask('metadata', {}, ofNobody)).body.data).toEqual({})
  const ofProduct = bearer(await makeKey({ productID: other }))
  expect(devicesOf(await query('temp', 10, ofProduct))).toEqual([])
  expect(devicesOf(await query(`temp{product="${productID}"}`, 10, ofProduct))).toEqual([])
  expect((await ask('label/product/values', {}, ofProduct)).body.data).toEqual([other])
  expect((await ask('series', { 'match[]': 'temp' }, ofProduct)).body.data).toMatchObject([{ device: 'pump1' }])
  expect((await ask('metadata', {}, ofProduct)).body.data).toHaveProperty('temp')
})

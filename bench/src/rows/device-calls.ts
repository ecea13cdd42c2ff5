/** What people do with device lists: one entry a kind of call; the round makes each call a little different. */
import type { FleetSize } from '../fleet.ts'

export interface KindOfCall {
  what: string
  endpoint: 'list' | 'count' | 'candidates' | 'groups' | 'groupDevices' | 'products'
  body(round: number, size: FleetSize): unknown
}

const product = (n: number) => String(1 + n).padStart(11, '0')
const cities = [
  'beijing',
  'shanghai',
  'guangzhou',
  'wuhan',
  'xian',
  'hangzhou',
  'tianjin',
  'suzhou',
  'kunming',
  'lanzhou',
]
const regions = ['北京', '上海', '广州', '武汉', '西安', '杭州', '天津', '苏州', '昆明', '兰州']
const pick = <T>(values: readonly T[], round: number): T => values[round % values.length] as T
const tag = (key: string, value: string) => ({ tags: [{ key, value }] })
const sorted = (field: string, sort: 1 | 2 = 1, page = 1) => ({ page: { page, size: 20, orders: [{ field, sort }] } })
const firstPage = { page: { page: 1, size: 20 } }
const place = { position: { longitude: 114.3, latitude: 30.6 } }

type Body = KindOfCall['body']
const of =
  (endpoint: KindOfCall['endpoint']) =>
  (what: string, body: Body): KindOfCall => ({ what, endpoint, body })
const list = of('list')
const count = of('count')

export const listCalls: KindOfCall[] = [
  list('no filter, newest first', () => firstPage),
  list('no filter, page 50', (n) => ({ page: { page: 50 + n, size: 20 } })),
  list('no filter, in the middle of all pages', (n, { devices }) => ({ page: { page: devices / 40 - n, size: 20 } })),
  list('no filter, last page', () => ({ page: { page: 99_999_999, size: 20 } })),
  list('100 rows of page 3', () => ({ page: { page: 3, size: 100 } })),
  list('by name', () => sorted('deviceName')),
  list('by name, a quarter in', (n, { devices }) => sorted('deviceName', 1, devices / 80 - n)),
  list('by alias, downwards', () => sorted('deviceAlias', 2)),
  list('by product', () => sorted('productID', 1, 500)),
  list('by version, downwards', () => sorted('version', 2)),
  list('by online state', () => sorted('isOnline')),
  list('by activation', () => sorted('firstLogin', 2)),
  list('by last sign-in, downwards', () => sorted('lastLogin', 2)),
  list('by last sign-in, page 5000', (n) => sorted('lastLogin', 1, 5000 + n)),
  list('by log level, downwards', () => sorted('logLevel', 2)),
  list('online', () => ({ status: 1, ...firstPage })),
  list('online, by name, page 5000', (n) => ({ status: 1, ...sorted('deviceName', 1, 5000 + n) })),
  list('never activated, by product', () => ({ status: 3, ...sorted('productID') })),
  list('a small product', (n) => ({ productID: product(100 + n), ...firstPage })),
  list('a small product, by alias', (n) => ({ productID: product(100 + n), ...sorted('deviceAlias') })),
  list('the largest product, by last sign-in', () => ({ productID: product(0), ...sorted('lastLogin', 2) })),
  list('the largest product, its middle page by name', () => ({
    productID: product(0),
    ...sorted('deviceName', 1, 1500),
  })),
  list('offline of the largest product', () => ({ productID: product(0), status: 2, ...firstPage })),
  list('gateways', () => ({ deviceType: 2, ...sorted('lastLogin', 2) })),
  list('sub-devices, by name', () => ({ deviceType: 3, ...sorted('deviceName') })),
  list('a version', () => ({ version: '1.2.0', ...firstPage })),
  list('a version of three products, online', () => ({
    version: '2.0',
    productIDs: [product(3), product(9), product(40)],
    status: 1,
    ...sorted('createdTime', 2),
  })),
  list('disabled', () => ({ isEnable: 2, ...sorted('deviceName') })),
  list('simulated', () => ({ isSimulated: 1, ...firstPage })),
  list('name contains a number', (n) => ({ deviceName: String(12_345 + n * 7), ...firstPage })),
  list('the exact name', (n) => ({ deviceName: `pump-wuhan-${String(n).padStart(7, '0')}`, ...firstPage })),
  list('keyword of a station', (n) => ({ keyword: `${pick(regions, n)}${10 + n}号站`, ...firstPage })),
  list('alias of a station in a product', (n) => ({
    deviceAlias: '12号站',
    productID: product(n),
    ...sorted('deviceAlias'),
  })),
  list('name of a city (5 %)', (n) => ({ deviceName: pick(cities, n), ...firstPage })),
  list('two Chinese characters (12 %)', () => ({ deviceAlias: '水泵', ...firstPage })),
  list('a unique tag', (n) => ({ ...tag('asset', `A${500 + n}`), ...firstPage })),
  list('a tag of 0.5 %', (n) => ({ ...tag('line', String(1 + n)), ...sorted('lastLogin', 2) })),
  list('a tag of 5 %', (n) => ({ ...tag('region', pick(regions, n)), ...firstPage })),
  list('two tags, online', (n) => ({
    tags: [
      { key: 'region', value: pick(regions, n) },
      { key: 'line', value: String(1 + n) },
    ],
    status: 1,
    ...firstPage,
  })),
  list('within 2 km', () => ({ ...place, range: 2_000, ...firstPage })),
  list('within 20 km, by name', () => ({ ...place, range: 20_000, ...sorted('deviceName') })),
  list('a group', (n) => ({ inGroupID: 2001 + n, ...firstPage })),
  list('a group with the groups below, by last sign-in', (n) => ({
    inGroupID: 2001 + n,
    includeChildren: true,
    ...sorted('lastLogin', 2),
  })),
  list('not in a group, by name', (n) => ({ notInGroupID: 2001 + n, ...sorted('deviceName') })),
]

export const countCalls: KindOfCall[] = [
  count('all', () => ({})),
  count('a product', (n) => ({ productID: product(n) })),
  count('gateways', () => ({ deviceType: 2 })),
  count('a version', () => ({ version: '1.2.0' })),
  count('a tag of 0.5 %', (n) => tag('line', String(1 + n))),
  count('a group with the groups below', (n) => ({ inGroupID: 2001 + n, includeChildren: true })),
  count('signed in during the last hour', () => ({ startTime: Math.floor(Date.now() / 1000) - 3600 })),
]

export const pickerCalls: KindOfCall[] = [
  of('products')('products by name', (n) => ({ productName: String(n), page: { page: 1, size: 20 } })),
  list('devices of a product by a part of the name', (n) => ({
    productID: product(n),
    deviceName: `00${n}`,
    ...firstPage,
  })),
  list('devices by keyword', (n) => ({ keyword: `wuhan-00${10 + n}`, ...firstPage })),
  of('candidates')('sub-devices to bind', () => firstPage),
  of('candidates')('sub-devices to bind by name', (n) => ({ deviceName: `-00${100 + n}`, ...firstPage })),
  of('groupDevices')('devices of a group', (n) => ({ groupID: 2001 + n, includeChildren: true, ...firstPage })),
]

export const treeCalls: KindOfCall[] = [of('groups')('the whole group tree with counts', () => ({}))]

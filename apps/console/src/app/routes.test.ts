import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { expect, test } from 'vitest'
import { isAdminPath } from '#kit/paths.ts'
import { defaultPath, screens } from './routes.tsx'

const at = (path: string) => screens.find((row) => row.path === path)

test.each([
  '/home',
  '/deviceMangers/product/index',
  '/deviceMangers/product/detail/:id',
  '/deviceMangers/device/index',
  '/deviceMangers/device/detail/:id/:name/:type',
  '/deviceMangers/createDeviceTask/index',
  '/deviceMangers/group/index',
  '/deviceMangers/group/detail/:id',
  '/ruleEngine/scene/index',
  '/ruleEngine/scene/detail',
  '/alarmMangers/alarmConfiguration/index',
  '/alarmMangers/alarmConfiguration/save',
  '/alarmMangers/alarmConfiguration/log',
  '/alarmMangers/alarmConfiguration/log/detail/:id/:level',
  '/operationsMonitorings/onlineDebugs/index',
  '/operationsMonitorings/logService/index',
  '/operationsMonitorings/remoteConfiguration/index',
  '/operationsMonitorings/firmwareUpgrade/index',
  '/operationsMonitorings/firmwareManger/index',
])('spec 2: %s has a screen and a title', (path) => {
  expect(at(path)?.title).toMatch(/\p{Script=Han}/u)
  expect(at(path)?.load).toBeTypeOf('function')
})

test('spec 2: the page that / leads to is the product list, and it exists', () => {
  expect(defaultPath).toBe('/deviceMangers/product/index')
  expect(at(defaultPath)).toBeDefined()
})

test('every path stands once, and a detail belongs to a list of the table', () => {
  expect(new Set(screens.map(({ path }) => path)).size).toBe(screens.length)
  for (const { path, parent } of screens) {
    if (path.includes('/detail/')) expect(at(parent ?? ''), path).toBeDefined()
  }
})

test('a screen of the menu that is not for administrators alone names the list that it shows', () => {
  const lists = allEndpoints.filter(({ access }) => access === 'role').map(({ path }) => path)
  for (const { path, reads, parent, everyone } of screens) {
    if (!parent && !everyone && !isAdminPath(path)) expect(lists, path).toContain(reads)
  }
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allEndpoints } from './all-endpoints.ts'
import { type Access, BusinessType } from './endpoint.ts'
import { refusedPaths } from './features/enterprise.ts'

const paths = allEndpoints.map(({ path }) => path)

test.each(['common/config', 'user/captcha', 'user/create', 'user/delete', 'user/index', 'user/login'])(
  'spec 7: %s lies under /api/v1/system',
  (path) => {
    expect(paths).toContain(`/api/v1/system/${path}`)
  },
)

test('spec 7: resource-read, update and read of users lie under /api/v1/system', () => {
  for (const verb of ['resource-read', 'update', 'read']) expect(paths).toContain(`/api/v1/system/user/${verb}`)
})

test('every endpoint has a path and a name of its own', () => {
  expect(new Set(paths).size).toBe(paths.length)
  expect(new Set(allEndpoints.map(({ name }) => name)).size).toBe(allEndpoints.length)
})

test('every endpoint has a Chinese name and group and an operation type', () => {
  for (const { name, group, businessType } of allEndpoints) {
    expect(name).toMatch(/\p{Script=Han}/u)
    expect(group).toMatch(/\p{Script=Han}/u)
    expect(Object.values(BusinessType)).toContain(businessType)
  }
})

test('a role must hold every endpoint but these, so that a new one is not opened by accident', () => {
  const withAccess = (access: Access) =>
    allEndpoints.filter((endpoint) => endpoint.access === access).map(({ path }) => path.replace('/api/v1/', ''))
  const system = (...ends: string[]) => ends.map((end) => `system/${end}`)
  const ofOneself = (feature: string, ...ends: string[]) => ends.map((end) => `system/user/${feature}/${end}`)
  const ofDevices = ['auth/access', 'auth/login', 'auth/register', 'auth/root-check', 'auth5/access', 'auth5/login']
  expect(withAccess('public').toSorted()).toEqual([
    ...system('common/config', 'sign-on/begin', 'sign-on/choices', 'sign-on/finish', 'user/captcha', 'user/login'),
    ...ofOneself('passkey', 'sign-in', 'sign-in-start'),
    ...ofDevices.map((end) => `things/device/${end}`),
  ])
  expect(withAccess('signed-in').toSorted()).toEqual([
    ...['choice-index', 'self/create', 'self/index', 'self/revoke', 'self/update'].map(
      (end) => `system/api-key/${end}`,
    ),
    ...system('common/upload-file', 'common/upload-url/create'),
    // Only those that the caller started; an export needs the right to the list.
    ...system('job/cancel', 'job/export-list', 'job/read'),
    // For whoever stands before a page that is not his.
    ...ofOneself('access-request', 'create', 'read'),
    ...system('user/logout'),
    ...ofOneself('passkey', 'create', 'create-start', 'delete', 'index', 'update', 'verify-start'),
    ...system('user/resource-read'),
    ...ofOneself('second-factor', 'confirm', 'disable', 'read', 'renew-codes', 'start', 'verify'),
    ...system('user/self-password', 'user/self-update'),
    ...ofOneself('session', 'acknowledge', 'delete', 'delete-others', 'index'),
    // It asks for the rights of each list by itself.
    'things/search',
  ])
})

test('what devices are made of lies under /api/v1/things', () => {
  for (const start of ['product/info', 'product/schema', 'product/custom', 'device/info', 'device/gateway', 'group']) {
    expect(
      paths.some((path) => path.startsWith(`/api/v1/things/${start}/`)),
      start,
    ).toBe(true)
  }
})

test('register1, register2 and the enterprise groups are refused and never endpoints', () => {
  expect(refusedPaths.get('/api/v1/system/user/register1')?.code).toBe(100018)
  expect(refusedPaths.get('/api/v1/system/user/register2')?.code).toBe(100018)
  expect(refusedPaths.get('/api/v1/system/project/info/create')?.code).toBe(100022)
  for (const path of refusedPaths.keys()) expect(paths).not.toContain(path)
})

test('every body ignores unknown keys and leaves them out', () => {
  for (const { body, path } of allEndpoints) {
    const result = body.safeParse({ current: 1, pageSize: 10, unheardOf: 'x' })
    const unknown = result.success ? [] : result.error.issues.filter(({ code }) => code === 'unrecognized_keys')
    expect(unknown, path).toEqual([])
    if (result.success) expect(result.data).not.toHaveProperty('unheardOf')
  }
})

test('a path stands in full where its endpoint is, so that an address of the network tab is found by one search', async () => {
  const files = globSync('features/**/*.ts', { cwd: import.meta.dirname })
  const sources = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n')
  expect(paths.filter((path) => !sources.includes(`'${path}'`))).toEqual([])
})

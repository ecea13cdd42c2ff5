import { expect, test } from 'vitest'
import { allEndpoints } from './all-endpoints.ts'
import { BusinessType } from './endpoint.ts'
import { refusedPaths } from './features/enterprise.ts'

const paths = allEndpoints.map(({ path }) => path)
const accessOf = (path: string) => allEndpoints.find((endpoint) => endpoint.path === `/api/v1/system/${path}`)?.access

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

test('decisions.md 2: only captcha, login, config and the sign-in of devices are answered without a token', () => {
  const open = allEndpoints.filter(({ access }) => access === 'public').map(({ path }) => path)
  const ofDevices = ['auth/access', 'auth/login', 'auth/register', 'auth/root-check', 'auth5/access', 'auth5/login']
  expect(open.toSorted()).toEqual([
    ...['common/config', 'user/captcha', 'user/login'].map((path) => `/api/v1/system/${path}`),
    ...ofDevices.map((path) => `/api/v1/things/device/${path}`),
  ])
})

test('a signed-in user reads his session, leaves and changes himself without a right of his role', () => {
  for (const path of ['resource-read', 'logout', 'self-update', 'self-password']) {
    expect(accessOf(`user/${path}`)).toBe('signed-in')
  }
  expect(accessOf('user/index')).toBe('role')
})

test('everybody who is signed in may upload and follow the jobs he started; the list of jobs needs a right', () => {
  for (const path of ['common/upload-file', 'common/upload-url/create', 'job/read', 'job/cancel']) {
    expect(accessOf(path), path).toBe('signed-in')
  }
  for (const path of ['job/index', 'job/retry']) expect(accessOf(path), path).toBe('role')
})

test('what devices are made of lies under /api/v1/things and needs a right', () => {
  const things = allEndpoints.filter(({ path }) => path.startsWith('/api/v1/things/'))
  for (const start of ['product/info', 'product/schema', 'product/custom', 'device/info', 'device/gateway', 'group']) {
    expect(
      things.some(({ path }) => path.startsWith(`/api/v1/things/${start}/`)),
      start,
    ).toBe(true)
  }
  const open = things.filter(({ path, access }) => !path.startsWith('/api/v1/things/device/auth') && access !== 'role')
  // The search asks for the rights of each list by itself.
  expect(open.map(({ path, access }) => [path, access])).toEqual([['/api/v1/things/search', 'signed-in']])
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

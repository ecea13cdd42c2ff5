import { expect, test } from 'vitest'
import { isLoginPlace, loginAddress, pathInApp, safeRedirect } from './sign-in-path.ts'

const base = '/front/iThingsCore'
const place = (pathname: string, search = '', hash = '') => ({ pathname, search, hash })

test('the path inside the app keeps search and hash and drops the base path (spec 2)', () => {
  expect(pathInApp(place(`${base}/home`, '?a=1', '#b'), base)).toBe('/home?a=1#b')
  expect(pathInApp(place(`${base}/`), base)).toBe('/')
  expect(pathInApp(place(base), base)).toBe('/')
  expect(pathInApp(place('/front/iThingsCoreX/home'), base)).toBe('/front/iThingsCoreX/home')
})

test('the login address carries the page the user was on (spec 8)', () => {
  expect(loginAddress(place(`${base}/systemMangers/user/index`, '?page=2'), base)).toBe(
    `/user/login?redirect=${encodeURIComponent('/systemMangers/user/index?page=2')}`,
  )
  expect(loginAddress(place(`${base}/`), base)).toBe('/user/login')
})

test('the login page is known under the base path and never asks to come back to itself (spec 8)', () => {
  expect(isLoginPlace(place(`${base}/user/login`), base)).toBe(true)
  expect(isLoginPlace(place(`${base}/user/login/`), base)).toBe(true)
  expect(isLoginPlace(place(`${base}/user/logins`), base)).toBe(false)
  expect(loginAddress(place(`${base}/user/login`, '?redirect=%2Fhome'), base)).toBe('/user/login?redirect=%2Fhome')
})

test.each(['/home', '/deviceMangers/product/detail/1?tab=model#x', '/systemMangers/user/index?userName=%E5%BC%A0'])(
  'a path inside the app is followed: %s',
  (path) => {
    expect(safeRedirect(path)).toBe(path)
  },
)

test.each([
  ['nothing', null],
  ['empty text', ''],
  ['a full address', 'https://evil.example/x'],
  ['a script', 'javascript:alert(1)'],
  ['an address without scheme', '//evil.example'],
  ['a backslash', '/\\evil.example'],
  ['a backslash further on', '/home\\..\\x'],
  ['a tab that browsers drop', '/\t/evil.example'],
  ['a line break that browsers drop', '/\n/evil.example'],
  ['a relative path', 'home'],
  ['a climb out of the app', '/../../evil'],
  ['the login page itself', '/user/login?redirect=/home'],
])('%s leads to the home page instead', (_what, asked) => {
  expect(safeRedirect(asked)).toBe('/')
})

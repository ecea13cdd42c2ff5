import { expect, test } from 'vitest'
import { inside } from './inside.ts'

test.each([
  ['linux', '/data/files', 'job/1/a.csv', '/data/files/job/1/a.csv'],
  ['linux', '/data/files', 'job/1/10:30 a?.csv', '/data/files/job/1/10:30 a?.csv'],
  ['linux', '/data/files', '..a/b', '/data/files/..a/b'],
  ['linux', '/', 'a/b', '/a/b'],
  ['darwin', '/Volumes/Data', 'temp/图.png', '/Volumes/Data/temp/图.png'],
  ['win32', 'C:\\data\\files', 'job/1/a.csv', 'C:\\data\\files\\job\\1\\a.csv'],
  ['win32', 'D:\\', 'job/1/a.csv', 'D:\\job\\1\\a.csv'],
  ['win32', '\\\\nas\\share\\files', 'job/a.csv', '\\\\nas\\share\\files\\job\\a.csv'],
  ['win32', 'C:\\data', 'temp/console.png', 'C:\\data\\temp\\console.png'],
] as const)('%s: in %s the path %s is %s', (platform, folder, path, full) => {
  expect(inside(folder, path, platform)).toBe(full)
})

test.each([
  ['linux', '/data/files', ''],
  ['linux', '/data/files', '.'],
  ['linux', '/data/files', '..'],
  ['linux', '/data/files', '../files2/a'],
  ['linux', '/data/files', '/etc/passwd'],
  ['linux', '/data/files', 'a\0b'],
  ['win32', 'C:\\data\\files', '..\\a'],
  ['win32', 'C:\\data\\files', 'a/..\\..\\b'],
  ['win32', 'C:\\data\\files', '\\windows\\a'],
  ['win32', 'C:\\data\\files', 'D:/a'],
  ['win32', 'C:\\data\\files', '//nas/share/a'],
  ['win32', 'C:\\data\\files', 'temp/a.png:hidden'],
  ['win32', 'C:\\data\\files', 'temp/what?.png'],
  ['win32', 'C:\\data\\files', 'temp/nul'],
  ['win32', 'C:\\data\\files', 'temp/Com1.txt'],
  ['win32', 'C:\\data\\files', 'temp/a.png.'],
  ['win32', 'C:\\data\\files', 'temp /a.png'],
] as const)('%s: in %s there is no %j', (platform, folder, path) => {
  expect(inside(folder, path, platform)).toBeUndefined()
})

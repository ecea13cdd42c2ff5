import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findTarget, platformUrl, profilesFile, readProfiles, writeProfiles } from './profiles.ts'

async function makeWhere(env: Record<string, string> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'ithings-cli-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return { home, platform: 'linux', env }
}
const two = {
  current: 'a',
  profiles: { a: { url: 'http://a', key: 'itk_a' }, b: { url: 'http://b', key: 'itk_b' } },
}

test.each([
  ['linux', {}, '/h', '/h/.config/ithings/profiles.json'],
  ['linux', { XDG_CONFIG_HOME: '/x' }, '/h', '/x/ithings/profiles.json'],
  ['darwin', {}, '/h', '/h/Library/Application Support/ithings/profiles.json'],
  ['win32', { APPDATA: 'C:\\A' }, 'C:\\h', 'C:\\A\\ithings\\profiles.json'],
  ['win32', {}, 'C:\\h', 'C:\\h\\AppData\\Roaming\\ithings\\profiles.json'],
])('keys lie where %s keeps such files', (platform, env, home, file) => {
  expect(profilesFile({ platform, env, home })).toBe(file)
})

test.skipIf(process.platform === 'win32')(
  'nobody else may read the keys, also where the file was open before',
  async () => {
    const where = await makeWhere()
    await writeProfiles(where, two)
    await chmod(profilesFile(where), 0o644)
    await writeProfiles(where, two)
    expect((await stat(profilesFile(where))).mode & 0o777).toBe(0o600)
    expect((await stat(join(where.home, '.config/ithings'))).mode & 0o777).toBe(0o700)
    expect(await readProfiles(where)).toEqual(two)
  },
)

test('the flag wins over the environment, the environment over the file', async () => {
  const where = await makeWhere()
  await writeProfiles(where, two)
  const target = (env: Record<string, string>, asked?: string) => findTarget({ ...where, env }, asked)
  expect(await target({})).toMatchObject({ url: 'http://a', key: 'itk_a' })
  expect(await target({ ITHINGS_PROFILE: 'b' })).toMatchObject({ key: 'itk_b' })
  expect(await target({ ITHINGS_PROFILE: 'b' }, 'a')).toMatchObject({ key: 'itk_a' })
  expect(await target({ ITHINGS_URL: 'http://c:1', ITHINGS_KEY: 'itk_c' })).toMatchObject({
    url: 'http://c:1',
    key: 'itk_c',
  })
  expect(await target({ ITHINGS_KEY: 'itk_c' })).toMatchObject({ url: 'http://a', key: 'itk_c' })
  // The key of one platform is not sent to another.
  await expect(target({ ITHINGS_URL: 'http://c:1' })).rejects.toThrow(/还没有登录/)
  await expect(target({}, 'toString')).rejects.toThrow(/没有名为 toString 的登录/)
})

test('a damaged file is said to be one', async () => {
  const where = await makeWhere()
  await writeProfiles(where, two)
  await writeFile(profilesFile(where), '{')
  await expect(readProfiles(where)).rejects.toThrow(/已损坏/)
})

test('an address is cut to the platform', () => {
  expect(platformUrl('https://iot.example.com/front/iThingsCore/')).toBe('https://iot.example.com')
  expect(platformUrl('127.0.0.1:7777')).toBe('http://127.0.0.1:7777')
  for (const wrong of ['ftp://a', 'http://', 'http://user:pass@a']) expect(() => platformUrl(wrong)).toThrow(/平台地址/)
})

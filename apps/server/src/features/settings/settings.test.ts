import { readConfig, readSettings, updateSettings } from '@ithings/contract/features/settings.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })
const picture = 'data:image/png;base64,iVBORw0KGgo='

test('the console configuration needs no token and carries map, storage, title, version and switches', async () => {
  const { data } = await world.call(readConfig)
  expect(data).toEqual({
    map: { mode: 'baidu', accessKey: '' },
    oss: { host: '/api/v1/oss' },
    title: 'iThings',
    logo: '',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    captcha: false,
    passkeyOrigin: expect.stringMatching(/^http:\/\/localhost/),
    pwa: false,
    mqtt: { port: world.app.mqtt.port, tlsPort: 0 },
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  expect(data.mqtt.port).toBeGreaterThan(0)
})

test('the map key, captcha and offline switches come from the environment', async () => {
  const other = await openWorld({ config: { mapAccessKey: 'key-1', captcha: true, pwa: true } })
  try {
    expect((await other.call(readConfig)).data).toMatchObject({
      map: { mode: 'baidu', accessKey: 'key-1' },
      captcha: true,
      pwa: true,
    })
  } finally {
    await other.close()
  }
})

test('a new title and logo are stored, shown to strangers and leave the rest as it was', async () => {
  const before = await world.asAdmin(readSettings)
  await world.asAdmin(updateSettings, { title: ' 水务平台 ', logo: picture })
  expect(await world.asAdmin(readSettings)).toEqual({
    ...before,
    title: '水务平台',
    logo: picture,
    rev: before.rev + 1,
  })
  expect((await world.call(readConfig)).data).toMatchObject({ title: '水务平台', logo: picture })
  await world.asAdmin(updateSettings, { logo: '' })
  expect((await world.call(readConfig)).data.logo).toBe('')
})

test('retention is 1 to 3650 days, as number or digit text; null and unknown keys are ignored', async () => {
  for (const [days, other] of [
    [1, 3650],
    [3650, 1],
  ] as const) {
    const sent = await world.call(
      updateSettings,
      { loginLogDays: days, operationLogDays: String(other), title: null, pageSize: 10 },
      asAdmin(),
    )
    expect(sent.code).toBe(200)
    expect(await world.asAdmin(readSettings)).toMatchObject({ loginLogDays: days, operationLogDays: other })
  }
  for (const field of ['loginLogDays', 'operationLogDays']) {
    for (const [bad, limit] of [
      [0, '不能小于 1'],
      [3651, '不能大于 3650'],
    ] as const) {
      const refused = await world.call(updateSettings, { [field]: bad }, asAdmin())
      expect(refused).toMatchObject({ status: 400, code: 100006, msg: `参数错误:${field} ${limit}` })
    }
  }
})

test.each([
  ['title', ''],
  ['title', '名'.repeat(33)],
  ['logo', 'https://example.com/logo.png'],
  ['logo', 'data:text/html;base64,PGI+'],
  ['logo', `data:image/png;base64,${'A'.repeat(200_001)}`],
  ['loginLogDays', 1.5],
  ['timeZone', 'Asia/Atlantis'],
])('%s %.40j is refused with 100006 that names the field', async (field, value) => {
  const refused = await world.call(updateSettings, { [field]: value }, asAdmin())
  expect(refused).toMatchObject({ status: 400, code: 100006 })
  expect(refused.body.field).toBe(field)
})

test('an edit that names an old rev is refused with 900001 and changes nothing', async () => {
  const { rev } = await world.asAdmin(readSettings)
  await world.asAdmin(updateSettings, { title: '先到', rev })
  const late = await world.call(updateSettings, { title: '后到', rev }, asAdmin())
  expect(late).toMatchObject({ status: 400, code: 900001 })
  expect(await world.asAdmin(readSettings)).toMatchObject({ title: '先到', rev: rev + 1 })
})

test('settings need a token and the right of the role', async () => {
  expect(await world.call(readSettings)).toMatchObject({ status: 401, code: 1000007 })
  const user = await makeSignedIn(world, { role: await makeRole(world, [readSettings]) })
  expect((await world.call(readSettings, {}, user)).code).toBe(200)
  expect(await world.call(updateSettings, { title: 'x' }, user)).toMatchObject({ status: 403, code: 100012 })
})

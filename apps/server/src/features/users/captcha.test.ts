import { getCaptcha, login } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, solveCaptcha, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ config: { captcha: true } })
})
afterAll(() => world.close())

const signIn = (fields: object, password = adminPassword) =>
  world.call(login, { account: adminName, password, pwdType: 1, loginType: 'pwd', ...fields })

const wrongCaptcha = { status: 400, code: 1000005 }

describe('the picture', () => {
  test('is a PNG for an img tag and lives two minutes', async () => {
    const { data } = await world.call(getCaptcha, { type: 'sms', data: '', use: 'login' })
    expect(data.expire).toBe(120)
    expect(data.codeID).not.toBe('')
    const [head, picture] = data.url.split(',')
    expect(head).toBe('data:image/png;base64')
    const bytes = Buffer.from(picture ?? '', 'base64')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([260, 80])
  })

  test('is different each time and does not give the answer away', async () => {
    const one = await world.call(getCaptcha)
    const two = await world.call(getCaptcha)
    expect(one.data.codeID).not.toBe(two.data.codeID)
    expect(one.data.url).not.toBe(two.data.url)
    const { code, codeID } = await solveCaptcha(world)
    expect(code).toMatch(/^[2-9A-Z]{4}$/)
    expect(codeID).not.toContain(code)
    expect(Object.keys(one.data).toSorted()).toEqual(['codeID', 'expire', 'url'])
  })

  test('of an unknown kind is refused with 100006', async () => {
    expect(await world.call(getCaptcha, { type: 'voice' })).toMatchObject({ status: 400, code: 100006 })
  })
})

describe('sign-in with captcha', () => {
  test('the right text in any case of its letters opens the door', async () => {
    const upper = await solveCaptcha(world)
    expect((await signIn(upper)).code).toBe(200)
    const lower = await solveCaptcha(world)
    expect((await signIn({ ...lower, code: ` ${lower.code.toLowerCase()} ` })).code).toBe(200)
  })

  test('a missing text or id is 1000005 that asks for it', async () => {
    const captcha = await solveCaptcha(world)
    for (const fields of [{}, { code: captcha.code }, { codeID: captcha.codeID }, { code: '', codeID: '' }]) {
      const refused = await signIn(fields)
      expect(refused).toMatchObject({ ...wrongCaptcha, msg: '验证码错误:请输入验证码' })
      expect(refused.body.field).toBe('code')
    }
  })

  test('a wrong text is 1000005, and the right one afterwards too: each can be tried once', async () => {
    const captcha = await solveCaptcha(world)
    expect(await signIn({ ...captcha, code: '0000' })).toMatchObject(wrongCaptcha)
    expect(await signIn(captcha)).toMatchObject({ ...wrongCaptcha, msg: '验证码错误:不正确或已过期' })
  })

  test('a captcha that opened the door once does not open it again', async () => {
    const captcha = await solveCaptcha(world)
    expect((await signIn(captcha)).code).toBe(200)
    expect(await signIn(captcha)).toMatchObject(wrongCaptcha)
  })

  test('of two sign-ins at the same moment with one captcha only one passes it', async () => {
    const captcha = await solveCaptcha(world)
    const answers = await Promise.all([signIn(captcha), signIn(captcha), signIn(captcha)])
    expect(answers.map((answer) => answer.code).toSorted()).toEqual([1000005, 1000005, 200])
  })

  test('after two minutes it has expired, and expired ones are removed', async () => {
    const captcha = await solveCaptcha(world)
    world.clock.advance(121_000)
    expect(await signIn(captcha)).toMatchObject(wrongCaptcha)
    await solveCaptcha(world)
    const left = await world.db.selectFrom('captcha').selectAll().execute()
    expect(left.every((row) => row.expires_at.getTime() >= world.clock.now())).toBe(true)
  })

  test('an invented id is 1000005', async () => {
    expect(await signIn({ code: 'ABCD', codeID: 'invented' })).toMatchObject(wrongCaptcha)
  })

  test('a wrong captcha is told before account and password are looked at', async () => {
    for (const account of ['nobody_here', adminName]) {
      expect(await signIn({ account, code: 'ABCD', codeID: 'x' }, 'Wrong-1')).toMatchObject(wrongCaptcha)
    }
  })

  test('wrong captchas do not freeze anybody', async () => {
    for (let turn = 0; turn < 9; turn += 1) await signIn({ code: 'ABCD', codeID: 'x' })
    expect((await signIn(await solveCaptcha(world))).code).toBe(200)
  })
})

test('where captchas are off whatever is sent for one is accepted', async () => {
  const open = await openWorld()
  try {
    const body = { account: adminName, password: adminPassword, pwdType: 1, loginType: 'pwd' }
    expect((await open.call(login, { ...body, code: '', codeID: '' })).code).toBe(200)
    expect((await open.call(login, { ...body, code: 'ABCD', codeID: 'x' })).code).toBe(200)
  } finally {
    await open.close()
  }
})

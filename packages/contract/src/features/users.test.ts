import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  BuiltInRole,
  builtInRoleLabels,
  createUserBody,
  EnabledStatus,
  enabledStatusLabels,
  getCaptcha,
  listUsers,
  login,
  newPassword,
  strongPassword,
  updateUserBody,
  userName,
} from './users.ts'

describe('enumerations', () => {
  test('spec 3: user role is 1 admin, 2 supplier, 3 user', () => {
    expect(BuiltInRole).toEqual({ admin: 1, supplier: 2, user: 3 })
    expect(builtInRoleLabels).toEqual({ 1: 'admin', 2: '供应商', 3: 'user' })
  })

  test('spec 3: enabled status is 1 enabled, 2 disabled', () => {
    expect(EnabledStatus).toEqual({ enabled: 1, disabled: 2 })
    expect(enabledStatusLabels).toEqual({ 1: '启用', 2: '禁用' })
  })
})

describe('user names', () => {
  test.each(['abcdef', 'Abcdef', 'a23456', 'a_-_-_', 'administrator', `a${'b'.repeat(19)}`])('%s is a name', (name) => {
    expect(userName.parse(name)).toBe(name)
  })

  test.each(['', 'abcde', `a${'b'.repeat(20)}`, '1abcdef', '_abcdef', '-abcdef', 'abc def', 'abc.def', '管理员管理员'])(
    '%j is no name',
    (name) => {
      expect(userName.safeParse(name).success).toBe(false)
    },
  )

  test('blanks around a name are dropped', () => {
    expect(userName.parse(' operator ')).toBe('operator')
  })

  test('a name is accepted exactly when it has 6 to 20 of the allowed characters and begins with a letter', () => {
    const character = fc.constantFrom(...'abzABZ019_-. 中!')
    fc.assert(
      fc.property(fc.array(character, { maxLength: 24 }), (characters) => {
        const trimmed = characters.join('').trim()
        const wanted =
          trimmed.length >= 6 &&
          trimmed.length <= 20 &&
          'abzABZ'.includes(trimmed.charAt(0)) &&
          [...trimmed].every((one) => 'abzABZ019_-'.includes(one))
        expect(userName.safeParse(characters.join('')).success).toBe(wanted)
      }),
    )
  })
})

describe('passwords', () => {
  test.each(['abcd1234', 'ABCD1234', 'abcdEFGH', 'abcdefg!', '1234567!', '密码密码abcd'])(
    '%s is strong',
    (password) => {
      expect(strongPassword(password)).toBe(true)
    },
  )

  test.each(['abc1234', 'abcdefgh', 'ABCDEFGH', '12345678', '!!!!!!!!', ''])('%j is weak', (password) => {
    expect(strongPassword(password)).toBe(false)
  })

  test('one kind of character is never enough and two kinds of eight always are', () => {
    const kinds = ['0123456789', 'abcxyz', 'ABCXYZ', '!@#$ %']
    const of = (kind: string, minLength: number) =>
      fc.string({ unit: fc.constantFrom(...kind), minLength, maxLength: 30 })
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds).chain((kind) => of(kind, 0)),
        (password) => {
          expect(strongPassword(password)).toBe(false)
        },
      ),
    )
    const two = fc.shuffledSubarray(kinds, { minLength: 2, maxLength: 2 })
    fc.assert(
      fc.property(
        two.chain(([first = '', second = '']) => fc.tuple(of(first, 4), of(second, 4))),
        ([first, second]) => {
          expect(strongPassword(first + second)).toBe(true)
        },
      ),
    )
  })

  test.each([
    'password1',
    'Administrator1',
    'PASSW0RD',
    'P@ssw0rd2026!',
    'abcd1234',
    '12345678!',
    'a123456789',
    'Admin@123',
  ])('%s is too common for a new password', (password) => {
    expect(newPassword.safeParse(password).success).toBe(false)
  })

  test.each(['Admin-2026', 'passwort-9', 'xabcd1234', '83920174!'])('%s is not', (password) => {
    expect(newPassword.safeParse(password).success).toBe(true)
  })

  test('a password of more than 64 characters is refused', () => {
    expect(newPassword.safeParse(`a1${'x'.repeat(62)}`).success).toBe(true)
    expect(newPassword.safeParse(`a1${'x'.repeat(63)}`).success).toBe(false)
  })
})

describe('bodies', () => {
  test('a picture is a path of ours or an address of the web, nothing that a browser runs', () => {
    const takes = (headImgUrl: string) => updateUserBody.safeParse({ userID: 1, headImgUrl }).success
    for (const good of ['', 'user/head/1.png', '/api/v1/file?path=a:b', 'https://img.example/1.png'])
      expect(takes(good)).toBe(true)
    for (const bad of ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'https:/x'])
      expect(takes(bad)).toBe(false)
  })

  const valid = { userName: 'operator', password: 'abxy1234', role: 3 }

  test('a user needs a name, a password and a role', () => {
    expect(createUserBody.parse({ ...valid, role: '3', reqType: 'pwd' })).toEqual(valid)
    for (const key of Object.keys(valid)) {
      expect(createUserBody.safeParse({ ...valid, [key]: undefined }).success).toBe(false)
    }
  })

  test('phone and e-mail may be emptied but not be nonsense', () => {
    for (const phone of ['', '13800138000', '+86-10-12345678']) {
      expect(createUserBody.safeParse({ ...valid, phone }).success).toBe(true)
    }
    expect(createUserBody.safeParse({ ...valid, phone: 'abc' }).success).toBe(false)
    for (const email of ['', 'a@example.com']) expect(createUserBody.safeParse({ ...valid, email }).success).toBe(true)
    expect(createUserBody.safeParse({ ...valid, email: 'a@' }).success).toBe(false)
  })

  test('role 0 leaves the role of a user as it is and is no filter of the list', () => {
    expect(updateUserBody.parse({ userID: '1', role: 0 }).role).toBeUndefined()
    expect(listUsers.body.parse({ role: 0, status: 0, userName: '' })).toEqual({})
  })

  test('login takes pwdType 1 and 2 only and defaults to sign-in by password', () => {
    const sent = { account: 'administrator', password: 'x', pwdType: 2 }
    expect(login.body.parse(sent).loginType).toBe('pwd')
    expect(login.body.safeParse({ ...sent, pwdType: 1 }).success).toBe(true)
    for (const pwdType of [0, 3]) expect(login.body.safeParse({ ...sent, pwdType }).success).toBe(false)
  })

  test('the captcha call of the public console is accepted', () => {
    expect(getCaptcha.body.parse({ type: 'sms', data: '', use: 'login' })).toEqual({
      type: 'sms',
      data: '',
      use: 'login',
    })
    expect(getCaptcha.body.parse({})).toEqual({ type: 'image', use: 'login' })
  })
})

import type { RoleRule } from '@ithings/contract/features/sign-on.ts'
import { userNamePattern } from '@ithings/contract/features/users.ts'
import { expect, test } from 'vitest'
import { claimAt, roleByRules, textAt, userNameOf, vouchesFactor } from './claims.ts'

test('a claim is found by its name, also one with dots, else by the way of its dots', () => {
  const claims = { 'https://a.example/roles': ['x'], realm: { roles: ['y'] }, 'a.b': 1, a: { b: 2 } }
  expect(claimAt(claims, 'https://a.example/roles')).toEqual(['x'])
  expect(claimAt(claims, 'realm.roles')).toEqual(['y'])
  expect(claimAt(claims, 'a.b')).toBe(1)
  expect(claimAt(claims, 'realm.roles.length')).toBe(1)
  expect(claimAt(claims, 'nothing.here')).toBeUndefined()
  expect(claimAt(claims, 'toString')).toBeUndefined()
  expect(textAt(claims, 'realm')).toBe('')
})

const rule = (claim: string, operator: RoleRule['operator'], value: string, roleID: number): RoleRule => ({
  claim,
  operator,
  value,
  roleID,
})

test('the first rule that holds decides; contained are whole members and words, never parts of them', () => {
  const rules = [
    rule('groups', 'contains', 'admin', 1),
    rule('department', 'equals', 'ops', 2),
    rule('scope', 'contains', 'iot', 3),
    rule('verified', 'equals', 'true', 4),
  ]
  expect(roleByRules(rules, { groups: ['staff', 'admin'], department: 'ops' })).toBe(1)
  expect(roleByRules(rules, { groups: ['not-admin'], department: 'ops' })).toBe(2)
  expect(roleByRules(rules, { groups: 'not-admin', department: 'ops2', scope: 'a iot b' })).toBe(3)
  expect(roleByRules(rules, { scope: 'iot2', verified: true })).toBe(4)
  expect(roleByRules(rules, { department: ['ops'], groups: { admin: true }, verified: 'yes' })).toBeUndefined()
})

test.each([
  ['zhang.wei@corp.example', 'zhang-wei'],
  ['administrator', 'administrator'],
  ['José_Núñez', 'Jose-_Nu-n-ez'],
  ['a-very-long-account-name-indeed', 'a-very-long-account-'],
])('%s becomes the user name %s', (said, name) => {
  expect(userNameOf(said, 'sub')).toBe(name)
})

test('whatever a provider calls people, the name is one of ours, and the same each time', () => {
  for (const said of ['', '李雷', '1234', 'bob', '@', '---', '9lives-of-the-cat', 'a b', '李雷@corp.example']) {
    expect(userNameOf(said, 'subject'), said).toMatch(userNamePattern)
    expect(userNameOf(said, 'subject')).toBe(userNameOf(said, 'subject'))
  }
  expect(userNameOf('李雷', 'one')).not.toBe(userNameOf('韩梅', 'two'))
})

test('a second factor is vouched for by mfa, by two kinds of methods, by the acr that was asked for, or always', () => {
  const by = (claims: object, acrValues = '') => vouchesFactor({ ...claims }, { factor: 'claims', acrValues })
  expect(by({ amr: ['mfa'] })).toBe(true)
  expect(by({ amr: ['pwd', 'otp'] })).toBe(true)
  expect(by({ amr: ['pwd', 'kba'] })).toBe(false)
  expect(by({ amr: ['otp'] })).toBe(false)
  expect(by({ amr: 'mfa' })).toBe(false)
  expect(by({})).toBe(false)
  expect(by({ acr: 'gold' })).toBe(false)
  expect(by({ acr: 'gold' }, 'silver gold')).toBe(true)
  expect(by({ acr: '' }, '')).toBe(false)
  expect(vouchesFactor({}, { factor: 'always', acrValues: '' })).toBe(true)
})

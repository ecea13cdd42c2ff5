import type { LoginLog } from '@ithings/contract/features/logs.ts'
import { expect, test } from 'vitest'
import { suspectsOf } from './brute-force.ts'

let id = 0
const failures = (ipAddr: string, names: string[]): LoginLog[] =>
  names.map((userName) => ({
    id: String(++id),
    userID: '0',
    userName,
    ipAddr,
    loginLocation: '',
    browser: '',
    os: '',
    code: '1000004',
    msg: '账号或密码错误',
    createdTime: '1794700000',
  }))

test('five failures of one address are suspicious, four are not', () => {
  const logs = [
    ...failures('203.0.113.9', ['administrator', 'administrator', 'root01', 'root01', 'operator']),
    ...failures('198.51.100.7', ['zhouyuan', 'zhouyuan', 'zhouyuan', 'zhouyuan']),
  ]
  expect(suspectsOf(logs)).toEqual([{ ipAddr: '203.0.113.9', failures: 5, accounts: 3 }])
})

test('the worst address comes first and rows without an address are left out', () => {
  const logs = [
    ...failures('', Array(9).fill('operator')),
    ...failures('10.0.0.1', Array(5).fill('operator')),
    ...failures('10.0.0.2', Array(6).fill('operator')),
  ]
  expect(suspectsOf(logs).map((one) => one.ipAddr)).toEqual(['10.0.0.2', '10.0.0.1'])
})

import { errors } from '@ithings/contract/errors.ts'
import { expect, test } from 'vitest'
import { resultOf } from './result-view.ts'

test('200 is success and needs no advice', () => {
  expect(resultOf({ resultType: '200', msg: '' })).toEqual({ ok: true, code: 200, text: '成功', advice: '' })
})

test('a refusal shows the sentence of the platform, which names the field, and says what to do', () => {
  const view = resultOf({ resultType: String(errors.parameter.code), msg: '参数错误:level 须在 0–6 之间，收到 9' })
  expect(view).toMatchObject({ ok: false, code: 100006, text: '参数错误:level 须在 0–6 之间，收到 9' })
  expect(view.advice).toContain('物模型')
})

test('without a sentence the catalogue speaks; an unknown code is shown, never thrown at', () => {
  expect(resultOf({ resultType: '2000003', msg: '' }).text).toBe('设备不在线')
  expect(resultOf({ resultType: '418', msg: '' })).toEqual({
    ok: false,
    code: 418,
    text: '未知错误(418)',
    advice: '',
  })
})

test('a broken message gets another advice than a wrong value of the same code', () => {
  expect(resultOf({ resultType: '100006', msg: '参数错误:消息不是有效的 JSON' }).advice).toContain('custom Topic')
})

import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase, t } from '@ithings/contract/text.ts'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { askedLanguage, messageFor } from './answer-language.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en-US,en;q=0.9,zh;q=0.8', 'en'],
  ['de,en;q=0.7', 'en'],
  ['de, fr', undefined],
  ['en;q=0.2, zh;q=0.4', 'zh'],
  ['en;q=0', undefined],
  ['*', undefined],
])('%s asks for %s', (header, language) => {
  expect(askedLanguage(header)).toBe(language)
})

test('an error is Chinese where it is logged, and said in another language with the same values', () => {
  const error = new AppError(errors.notFound, { detail: phrase('产品 {productID} 不存在', { productID: 'p1' }) })
  expect(error.message).toBe('未查询到:产品 p1 不存在')
  const words: Record<string, string> = {
    未查询到: 'Not found',
    '产品 {productID} 不存在': 'There is no product {productID}',
  }
  const said = error.say((text, values) => (words[text] ?? text).replace('{productID}', String(values?.productID)))
  expect(said).toBe('Not found: There is no product p1')
})

const read = (error: AppError, language: string) =>
  messageFor(error, { headers: { 'accept-language': language } } as FastifyRequest)

test('a list, a piece that is a phrase, and one or several', () => {
  const missing = (devices: string[]) =>
    new AppError(errors.notFound, {
      detail: phrase('{count} 台设备不存在：{devices}', { count: devices.length, devices }),
    })
  expect(missing(['a', 'b']).message).toBe('未查询到:2 台设备不存在：a、b')
  expect(read(missing(['a', 'b']), 'en')).toBe('Not found: 2 devices do not exist: a, b')
  expect(read(missing(['a']), 'en')).toBe('Not found: 1 device does not exist: a')
  const users = [phrase('场景「{name}」', { name: '泵房' }), phrase('告警「{name}」', { name: '高温' })]
  const used = new AppError(errors.notEmpty, {
    msg: phrase('渠道「{name}」正被使用：{users}，请先移除', { name: '值班', users }),
  })
  expect(used.message).toBe('渠道「值班」正被使用：场景「泵房」、告警「高温」，请先移除')
  expect(read(used, 'en')).toBe('Channel “值班” is in use by scene “泵房”, alarm rule “高温”; remove it there first')
})

test('a detail that is a function is asked again in the language of the reader, and leaves no trace of it', () => {
  const error = new AppError(errors.parameter, { detail: () => t('设备已禁用') })
  expect(error.message).toBe('参数错误:设备已禁用')
  expect(read(error, 'en')).toBe('Invalid parameter: The device is disabled')
  expect(t('设备已禁用')).toBe('设备已禁用')
  expect(error.say(t)).toBe('参数错误:设备已禁用')
})

test('what people wrote stays as it is, with braces and all', () => {
  const error = new AppError(errors.duplicate, { msg: phrase('角色名称重复'), detail: '{count} $t(未查询到)' })
  expect(read(error, 'en')).toBe('There is already a role with this name: {count} $t(未查询到)')
  const named = new AppError(errors.duplicate, { msg: phrase('组名重复:{name}', { name: '{name} $t(未查询到) $&' }) })
  expect(read(named, 'en')).toBe('There is already a group named {name} $t(未查询到) $&')
})

import { expect, test } from 'vitest'
import { addTexts, toEnglish } from './english.ts'
import { AppError, errors } from './errors.ts'
import { clipKept, fill, keeping, kept, phrase, saying, sayKept, t } from './text.ts'

addTexts({
  '还剩 {count} 台，{why}': '{count} devices left, {why}',
  '还剩 {count} 台，{why}_one': '{count} device left, {why}',
  设备离线: 'the device is offline',
  未查询到: 'Not found',
})

const long = kept('还剩 {count} 台，{why}', { count: 3, why: 'x'.repeat(1_000) })
const sentence = kept('还剩 {count} 台，{why}', { count: 1, why: kept('设备离线') })

test('a kept sentence is said in the language of its reader, with the sentences among its values', () => {
  expect(sayKept(sentence, fill)).toBe('还剩 1 台，设备离线')
  expect(sayKept(sentence, toEnglish)).toBe('1 device left, the device is offline')
})

test('it may stand among other text, and more than once', () => {
  const text = `a: ${kept('设备离线')}; b: ${kept('设备离线')}`
  expect(sayKept(text, toEnglish)).toBe('a: the device is offline; b: the device is offline')
})

test('what is put together by `t` is kept piece by piece', () => {
  const both = keeping(() => `a ${t('设备离线')}, ${t('还剩 {count} 台，{why}', { count: 2, why: t('设备离线') })}`)
  expect(sayKept(both, fill)).toBe('a 设备离线, 还剩 2 台，设备离线')
  expect(sayKept(both, toEnglish)).toBe('a the device is offline, 2 devices left, the device is offline')
  expect(t('设备离线')).toBe('设备离线')
})

test('a kept sentence is whole or, when it is too long, cut as Chinese', () => {
  expect(clipKept(sentence, 15)).toBe(sentence)
  expect(clipKept(sentence, 5)).toBe('还剩 1 ')
  expect(clipKept('plain text', 5)).toBe('plain')
})

test('what is too long gives of its values and is still said in the language of its reader', () => {
  const clipped = clipKept(long, 50)
  expect(sayKept(clipped, fill)).toBe(`还剩 3 台，${'x'.repeat(42)}…`)
  expect(sayKept(clipped, toEnglish)).toBe(`3 devices left, ${'x'.repeat(42)}…`)
})

test('a list is cut after a whole entry, a sentence among the values in its own values', () => {
  const names = Array.from({ length: 100 }, (_, i) => `pump-${i}`)
  const list = clipKept(kept('还剩 {count} 台，{why}', { count: 100, why: names }), 40)
  expect(sayKept(list, fill)).toBe('还剩 100 台，pump-0、pump-1、pump-2、pump-3、…')
  const deep = kept('还剩 {count} 台，{why}', { count: 2, why: `y${'z'.repeat(900)} ${long}` })
  expect(sayKept(clipKept(deep, 40), toEnglish)).toMatch(/^2 devices left, yz+…3 devices left, /)
})

test('an error keeps to a length, also where its detail is found by asking or stands among other text', () => {
  const asked = new AppError(errors.notFound, { detail: () => `${t('设备离线')} ${'x'.repeat(900)}` })
  const clipped = clipKept(asked.kept(), 100)
  expect(sayKept(clipped, fill)).toHaveLength(100)
  expect(sayKept(clipped, toEnglish)).toMatch(/^Not found: the device is offline x+…$/)
  const among = clipKept(`${'a'.repeat(300)} ${kept('设备离线')}`, 100)
  expect(sayKept(among, toEnglish)).toMatch(/^a+… ?the device is offline$/)
})

test('what a device sends that only looks like a sentence is cut as it is', () => {
  const forged = `\u0001[{"text":${'x'.repeat(900)}\u0002`
  expect(clipKept(forged, 100)).toHaveLength(100)
})

test('it is found in answers, and in JSON that is a text of an answer', () => {
  const result = JSON.stringify({ failed: [{ msg: sentence }] })
  const answer = JSON.stringify({ msg: sentence, result }, saying(toEnglish))
  expect(JSON.parse(answer).msg).toBe('1 device left, the device is offline')
  expect(JSON.parse(JSON.parse(answer).result)).toEqual({ failed: [{ msg: '1 device left, the device is offline' }] })
})

test('an error is kept with its detail, and one that is a function with what it says in both languages', () => {
  const error = new AppError(errors.notFound, { detail: phrase('设备离线') })
  expect(sayKept(error.kept(), fill)).toBe(error.message)
  expect(sayKept(error.kept(), toEnglish)).toBe('Not found: the device is offline')
  const asked = new AppError(errors.notFound, { detail: () => `x {y} ${t('设备离线')}` })
  expect(sayKept(asked.kept(), fill)).toBe('未查询到:x {y} 设备离线')
  expect(sayKept(asked.kept(), toEnglish)).toBe('Not found: x {y} the device is offline')
  const within = kept('还剩 {count} 台，{why}', { count: 2, why: () => t('设备离线') })
  expect(sayKept(within, fill)).toBe('还剩 2 台，设备离线')
  expect(sayKept(within, toEnglish)).toBe('2 devices left, the device is offline')
})

test('an error may have a kept sentence as its detail', () => {
  const error = new AppError(errors.notFound, { detail: kept('设备离线') })
  expect(error.message).toBe('未查询到:设备离线')
  expect(sayKept(error.kept(), fill)).toBe('未查询到:设备离线')
  expect(sayKept(error.kept(), toEnglish)).toBe('Not found: the device is offline')
})

test('sentences that a device made up to grow without end stay small', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 'x' : { text: '{a}{a}', values: { a: nested(depth - 1) } })
  expect(sayKept(kept('{a}', { a: nested(64) }), fill).length).toBeLessThan(1_000_000)
})

test.each([
  'x \\u0001[{\\"text\\":',
  '',
  'plain',
  '{"a":1.0}',
  '\u0001',
  '\u0001[{"text":\u0002',
  '\u0001[{"text":1}]',
  '"\\u0001[1]"',
])('what is no kept sentence stays as it is: %j', (text) => expect(sayKept(text, fill)).toBe(text))

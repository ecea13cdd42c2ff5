import { expect, test } from 'vitest'
import { checkPayload, checkTopic } from './check-message.ts'
import { pumpModel } from './testing/pump-model.ts'

const pump = { productID: 'p1', deviceName: 'pump-1' }
const topic = '$thing/down/property/p1/pump-1'
const level = (payload: unknown, at = topic) => checkPayload(at, JSON.stringify(payload), pumpModel)

test('only down topics of the platform can be sent to', () => {
  expect(checkTopic(topic, pump).level).toBe('good')
  expect(checkTopic('$thing/up/property/p1/pump-1', pump)).toMatchObject({ level: 'blocked' })
  expect(checkTopic('hello/world', pump)).toMatchObject({ level: 'blocked' })
})

test('a topic of another device, or outside the thing model, is doubted but not forbidden', () => {
  expect(checkTopic('$thing/down/property/p1/pump-2', pump)).toMatchObject({
    level: 'doubtful',
    text: expect.stringContaining('pump-2'),
  })
  expect(checkTopic('$ota/down/upgrade/p1/pump-1', pump).level).toBe('doubtful')
})

test('broken JSON, anything but an object and too long a payload are refused', () => {
  expect(checkPayload(topic, '{"a": }', pumpModel)).toMatchObject({
    level: 'blocked',
    text: expect.stringContaining('不是有效的 JSON'),
  })

  expect(checkPayload(topic, '[1]', pumpModel).level).toBe('blocked')
  expect(checkPayload(topic, JSON.stringify({ method: 'x'.repeat(70_000) }), pumpModel).level).toBe('blocked')
})

test('a control is held against the model', () => {
  expect(level({ method: 'control', params: { freq: 42.5 } })).toEqual({ level: 'good', text: 'JSON 有效，符合物模型' })
  expect(level({ method: 'control', params: { freq: 60 } })).toMatchObject({ level: 'doubtful' })
  expect(level({ method: 'control', params: { level: 1 } }).text).toContain('只读')
  expect(level({ method: 'control', params: { nothing: 1 } }).text).toContain('nothing')
})

test('an action is held against its input', () => {
  const at = '$thing/down/action/p1/pump-1'
  expect(level({ method: 'action', actionID: 'flush', params: { seconds: 30 } }, at).level).toBe('good')
  expect(level({ method: 'action', actionID: 'flush', params: {} }, at).level).toBe('doubtful')
  expect(level({ method: 'action', actionID: 'boil', params: {} }, at).text).toContain('boil')
})

test('an unknown method is told; a custom topic may carry anything', () => {
  expect(level({ method: 'dance' })).toMatchObject({ level: 'doubtful', text: '未知的 method dance' })
  expect(checkPayload('$thing/down/property/custom/p1/pump-1', '01 7f', pumpModel).level).toBe('good')
})

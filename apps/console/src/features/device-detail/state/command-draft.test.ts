import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { checkDraft, emptyDraft, jsonTemplate, modesOf } from './command-draft.ts'

const { model } = readTslText(
  JSON.stringify({
    properties: [
      { identifier: 'level', name: '液位', mode: 'r', define: { type: 'float' } },
      { identifier: 'lamp', name: '灯', mode: 'rw', define: { type: 'bool', mapping: { 0: '关', 1: '开' } } },
      { identifier: 'speed', name: '转速', mode: 'rw', define: { type: 'int', min: '0', max: '100', step: '10' } },
    ],
    actions: [
      {
        identifier: 'wash',
        name: '反冲洗',
        input: [{ identifier: 'seconds', name: '时长', define: { type: 'int', min: '1', max: '600' } }],
      },
      { identifier: 'ask', name: '设备询问', dir: 'up' },
    ],
  }),
)
const draft = emptyDraft(model)

const setting = (values: object, began: object = {}) =>
  checkDraft({ ...draft, properties: { values: { ...values }, began: { ...began } } }, model)

test('only what the model has is offered', () => {
  expect(modesOf(model)).toEqual(['property', 'action', 'json'])
  const upOnly = model.actions.filter(({ identifier }) => identifier === 'ask')
  expect(modesOf({ ...model, actions: upOnly })).toEqual(['property', 'json'])
  expect(modesOf({ ...model, properties: [] })).toEqual(['action', 'json'])
  expect(emptyDraft({ ...model, properties: [] }).mode).toBe('action')
})

test('several properties go out as one command', () => {
  expect(setting({ speed: 20, lamp: true, old: 1 })).toMatchObject({
    ok: true,
    kind: 'property',
    data: '{"lamp":true,"speed":20}',
  })
})

test('what the device reported is filled in, and only what was changed of it goes out', () => {
  const reported = { lamp: false, speed: 20 }
  expect(setting({ lamp: false, speed: 30 }, reported)).toMatchObject({ ok: true, data: '{"speed":30}' })
  expect(setting(reported, reported)).toEqual({ ok: false, text: '还没有改动，所选属性都是设备当前的值' })
})

test('what nobody knows stays empty and is not sent; what was emptied is a fault', () => {
  expect(setting({ lamp: true, speed: undefined })).toMatchObject({ ok: true, data: '{"lamp":true}' })
  expect(setting({ lamp: true, speed: undefined }, { speed: 20 })).toMatchObject({ ok: false, text: '1 处待修正' })
})

test('decisions.md 2: read-only properties are not offered, and the step counts for commands', () => {
  expect(setting({})).toEqual({ ok: false, text: '请选择要设置的属性' })
  expect(setting({ level: 1 })).toMatchObject({ ok: false })
  const bad = setting({ speed: 15 })
  expect(bad).toMatchObject({ ok: false, text: '1 处待修正' })
  expect(bad.ok ? undefined : bad.issues?.get('speed')).toContain('步长 10')
})

test('an action needs all of its inputs; one that only the device may call is not offered', () => {
  const action = { ...draft, mode: 'action' as const }
  expect(checkDraft({ ...action, actionID: 'ask' }, model)).toEqual({ ok: false, text: '请选择要调用的行为' })
  expect(checkDraft({ ...action, actionID: 'wash' }, model)).toMatchObject({ ok: false, text: '1 处待修正' })
  expect(checkDraft({ ...action, actionID: 'wash', inputs: { seconds: 30 } }, model)).toMatchObject({
    ok: true,
    kind: 'action',
    data: '{"seconds":30}',
  })
})

test('spec 5: JSON must be an object; its values are judged by the platform', () => {
  const json = (text: string, jsonTarget = '') => checkDraft({ ...draft, mode: 'json', json: text, jsonTarget }, model)
  expect(json('[1]')).toEqual({ ok: false, text: '必须是 JSON 对象' })
  expect(json('{')).toMatchObject({ ok: false })
  expect(json('{}')).toEqual({ ok: false, text: '至少要有一个属性' })
  expect(json('{"level":9}')).toMatchObject({ ok: true, kind: 'property', data: '{"level":9}' })
  expect(json('{}', 'wash')).toMatchObject({ ok: true, kind: 'action', data: '{}' })
})

test('what is longer than the platform takes is refused before it is sent', () => {
  const json = JSON.stringify({ note: 'x'.repeat(65_536) })
  expect(checkDraft({ ...draft, mode: 'json', json }, model)).toMatchObject({ ok: false })
})

test('a template is a command that would be accepted; of properties it is what they are now', () => {
  const text = jsonTemplate('wash', model, {}, 0)
  expect(checkDraft({ ...draft, mode: 'action', actionID: 'wash', inputs: JSON.parse(text) }, model).ok).toBe(true)
  expect(JSON.parse(jsonTemplate('', model, { level: 3, speed: 20 }, 0))).toEqual({ speed: 20 })
})

import { emptyProperty, fromItem, functionsOf, type ModelFunction } from '@ithings/contract/thing-model/affordance.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { describe, expect, test } from 'vitest'
import { draftOf, emptyDefine, emptyDraft, toDefine, toItem, withType } from './function-draft.ts'
import { pumpStation } from './testing/pump-station.ts'

const { model, issues } = readTslText(pumpStation)
const parts = functionsOf(model)

const again = (part: ModelFunction) => {
  const result = fromItem(toItem(draftOf(part)))
  return result.ok ? result.part : result.issues
}

describe('editing a function without changing anything stores it unchanged', () => {
  test('the sample model holds all eight types, two events and two actions', () => {
    expect(issues).toEqual([])
    const types = new Set(model.properties.map((property) => property.define.type))
    expect([types.size, model.events.length, model.actions.length]).toEqual([8, 2, 2])
  })
  test.each(parts.map((part) => [part.value.identifier, part] as const))('%s', (_name, part) => {
    expect(again(part)).toEqual(part)
  })
})

test('an unlimited number shows empty fields and is stored as unlimited again', () => {
  const define = { type: 'float', min: '-9999999999999', max: '9999999999999', start: '0' } as const
  const draft = draftOf({ type: 1, value: { ...emptyProperty, define } }).define
  expect([draft.min, draft.max, draft.step]).toEqual(['', '', ''])
  expect(toDefine(draft)).toEqual({ type: 'float', min: '', max: '', start: '0', step: '', unit: '' })
})

test('switching the type and back keeps what was typed', () => {
  const typed = { ...emptyDefine('enum'), items: [{ key: 'a', value: '7', label: '七' }] }
  expect(withType(withType(typed, 'array'), 'enum').items).toEqual(typed.items)
  expect(withType(typed, 'array').element?.type).toBe('int')
  expect(withType(typed, 'struct').members).toHaveLength(1)
})

test('a new property starts as the form of screens.md 4.2 says', () => {
  const { type, mode, isUseShadow, define } = emptyDraft()
  expect([type, mode, isUseShadow, define.type, define.off, define.on]).toEqual([1, 'rw', false, 'bool', '关', '开'])
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ThingModel } from './model.ts'
import { diffModels } from './model-diff.ts'
import { rawModels } from './testing/model-arbitraries.ts'
import { readTslText } from './tsl.ts'

function model(parts: Record<string, unknown>): ThingModel {
  const { model: read, issues } = readTslText(JSON.stringify(parts))
  expect(issues).toEqual([])
  return read
}
const property = (identifier: string, define: unknown, more: object = {}) => ({
  identifier,
  name: identifier,
  define,
  ...more,
})
const properties = (...list: unknown[]) => model({ properties: list })
const number = { type: 'int', min: '0', max: '10' }
const nothing = { added: [], changed: [], removed: [] }

test('a model does not differ from itself', async () => {
  await fc.assert(
    fc.property(rawModels, (raw) => {
      const one = model(raw)
      expect(diffModels(one, structuredClone(one))).toEqual(nothing)
    }),
    { numRuns: 50 },
  )
})

test('what is only in one of them was added or removed, in the order of the document', () => {
  const before = model({ properties: [property('a', number)], events: [{ identifier: 'e', name: '事件' }] })
  const after = model({
    properties: [property('b', number), property('c', number)],
    actions: [{ identifier: 'go', name: '去' }],
  })
  expect(diffModels(before, after)).toEqual({
    added: [
      { type: 1, identifier: 'b', name: 'b' },
      { type: 1, identifier: 'c', name: 'c' },
      { type: 3, identifier: 'go', name: '去' },
    ],
    changed: [],
    removed: [
      { type: 1, identifier: 'a', name: 'a' },
      { type: 2, identifier: 'e', name: '事件' },
    ],
  })
})

describe('a changed property', () => {
  const struct = (...members: Array<[string, unknown]>) => ({
    type: 'struct',
    specs: members.map(([identifier, dataType]) => ({ identifier, name: identifier, dataType })),
  })
  const time = { type: 'timestamp' }
  const text = { type: 'string', max: '8' }

  test.each([
    ['its limit', number, { ...number, max: '20' }, ['define.max'], false],
    ['a unit that it gained', number, { ...number, unit: '℃' }, ['define.unit'], false],
    ['its type', number, text, ['define.type', 'define.min', 'define.max', 'define.start', 'define.step'], true],
    [
      'the type of its elements',
      { type: 'array', arrayInfo: time },
      { type: 'array', arrayInfo: text },
      ['define.arrayInfo.type', 'define.arrayInfo.max'],
      true,
    ],
    [
      'a limit of its elements',
      { type: 'array', arrayInfo: text },
      { type: 'array', arrayInfo: { ...text, max: '9' } },
      ['define.arrayInfo.max'],
      false,
    ],
    [
      'a label',
      { type: 'enum', mapping: { 0: '甲' } },
      { type: 'enum', mapping: { 0: '乙' } },
      ['define.mapping.0'],
      false,
    ],
    ['a new member in front', struct(['a', time]), struct(['b', text], ['a', time]), ['define.specs.b'], false],
    ['a member that is gone', struct(['a', time], ['b', text]), struct(['a', time]), ['define.specs.b'], false],
    [
      'the type of a member',
      struct(['a', time], ['b', text]),
      struct(['a', text], ['b', text]),
      ['define.specs.a.dataType.type', 'define.specs.a.dataType.max'],
      true,
    ],
    [
      'the order of its members',
      struct(['a', time], ['b', text]),
      struct(['b', text], ['a', time]),
      ['define.specs'],
      false,
    ],
  ])('by %s names the members that differ', (_name, before, after, fields, typeChanged) => {
    const diff = diffModels(properties(property('p', before)), properties(property('p', after)))
    expect(diff).toEqual({
      ...nothing,
      changed: [{ type: 1, identifier: 'p', name: 'p', fields: expect.any(Array), typeChanged }],
    })
    expect(diff.changed[0]?.fields.toSorted()).toEqual(fields.toSorted())
  })

  test('by its name or flags keeps what is stored', () => {
    const diff = diffModels(
      properties(property('p', number)),
      properties(property('p', number, { name: '新名', mode: 'r', isNoRecord: true, desc: 'x', required: true })),
    )
    expect(diff.changed).toEqual([
      {
        type: 1,
        identifier: 'p',
        name: '新名',
        fields: ['name', 'desc', 'required', 'mode', 'isNoRecord'],
        typeChanged: false,
      },
    ])
  })

  test('that became an event changed its type', () => {
    const diff = diffModels(properties(property('p', number)), model({ events: [{ identifier: 'p', name: '事件' }] }))
    expect(diff.changed).toEqual([{ type: 2, identifier: 'p', name: '事件', fields: ['type'], typeChanged: true }])
  })
})

test('parameters of events and actions are compared by identifier and hold no stored form', () => {
  const event = (params: unknown[], type = 'info') =>
    model({ events: [{ identifier: 'e', name: '事件', type, params }] })
  const param = (identifier: string, define: unknown) => ({ identifier, name: identifier, define })
  const diff = diffModels(
    event([param('a', number), param('b', number)]),
    event([param('b', { type: 'timestamp' }), param('a', number)], 'alert'),
  )
  expect(diff.changed).toMatchObject([{ identifier: 'e', typeChanged: false }])
  expect(diff.changed[0]?.fields).toContain('type')
  expect(diff.changed[0]?.fields).toContain('params.b.define.type')
  expect(diff.changed[0]?.fields.some((field) => field.startsWith('params.a'))).toBe(false)
})

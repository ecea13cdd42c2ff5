import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rawModels } from './testing/model-arbitraries.ts'
import { readTslText, writeTslText } from './tsl.ts'

const productID = '254pwnKQsvK'
const lines = (...text: string[]) => text.join('\n')
const faults = (text: string) => readTslText(text).issues.map(({ line, path, text: words }) => ({ line, path, words }))

const temperature = {
  identifier: 'temp',
  name: '温度',
  desc: '',
  required: true,
  mode: 'r',
  define: { type: 'float', min: '-40', max: '125', start: '0', step: '0.1', unit: '℃' },
  isUseShadow: false,
  isNoRecord: false,
}

describe('export', () => {
  test('an empty model has all keys of thing-model.md 1', () => {
    expect(JSON.parse(writeTslText({ properties: [], events: [], actions: [] }, productID))).toEqual({
      version: '',
      properties: [],
      events: [],
      actions: [],
      profile: { productID },
    })
  })

  test('keys stand in the order of thing-model.md 1, whatever order they were stored in', () => {
    const { model } = readTslText(JSON.stringify({ properties: [temperature] }))
    const shuffled = JSON.parse(
      JSON.stringify(
        model,
        Object.keys({ ...temperature, ...temperature.define, properties: 1, events: 1, actions: 1 }).toSorted(),
      ),
    )
    expect(JSON.parse(writeTslText(shuffled, productID)).properties).toEqual([temperature])
    expect(writeTslText(shuffled, productID)).toBe(writeTslText(model, productID))
  })

  test('export, import and export again gives the same text', async () => {
    await fc.assert(
      fc.property(rawModels, (raw) => {
        const { model, issues } = readTslText(JSON.stringify(raw))
        expect(issues).toEqual([])
        const exported = writeTslText(model, productID)
        const again = readTslText(exported)
        expect(again).toEqual({ model, issues: [] })
        expect(writeTslText(again.model, productID)).toBe(exported)
      }),
      { numRuns: 60 },
    )
  })
})

describe('import', () => {
  test('lists may be absent or null, version, profile and unknown keys are dropped, empty flags are no', () => {
    const text = JSON.stringify({
      version: '1.0',
      properties: [{ ...temperature, mode: '', isUseShadow: '', isNoRecord: null, desc: null, extra: 1, required: 1 }],
      events: null,
      profile: { productID: 'another' },
    })
    expect(readTslText(`\uFEFF${text}`)).toEqual({
      model: { properties: [{ ...temperature, mode: 'rw' }], events: [], actions: [] },
      issues: [],
    })
  })

  test('an event without a type is information, an action without a direction goes down', () => {
    const text = JSON.stringify({
      events: [{ identifier: 'e', name: '事件' }],
      actions: [{ identifier: 'a', name: '行为', dir: '' }],
    })
    expect(readTslText(text).model).toMatchObject({
      events: [{ type: 'info', desc: '', required: false, params: [] }],
      actions: [{ dir: 'down', input: [], output: [] }],
    })
  })

  test.each([
    ['a missing comma', '{\n  "properties": []\n  "events": []\n}', 3, 3],
    ['a comma too many', '{\n  "properties": [],\n}', 3, 1],
    ['an unknown word', '{"properties":\n nul}', 2, 2],
    ['single quotes', "{'properties': []}", 1, 2],
    ['a text without end', '{"version": "1\n}', 1, 13],
    ['a text with a wrong escape', '{"version": "\\x"}', 1, 13],
    ['an end too early', '{\n "properties": [', 2, 17],
    ['something behind the end', '{}\n\nx', 3, 1],
    ['nothing at all', '  ', 1, 3],
    ['a number with a leading zero', '[01]', 1, 2],
  ])('%s is found at its line and column', (_name, text, line, column) => {
    const [issue, ...more] = readTslText(text).issues
    expect(more).toEqual([])
    expect(issue?.text).toContain(`模板的json格式不对，第 ${line} 行第 ${column} 列：`)
  })

  test('every text that is no JSON is refused, every JSON is read to its end', async () => {
    const valid = (text: string) => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    const found = (text: string) =>
      readTslText(text).issues.some((issue) => issue.text.startsWith('模板的json格式不对'))
    await fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.nat(), fc.string({ maxLength: 2 }), (json, seed, noise) => {
        expect(found(json)).toBe(false)
        const at = seed % (json.length + 1)
        const broken = json.slice(0, at) + noise + json.slice(at + 1)
        if (!broken.startsWith('\uFEFF')) expect(found(broken)).toBe(!valid(broken))
      }),
      { numRuns: 300 },
    )
  })

  test('nesting without end is refused, not followed', () => {
    expect(faults('['.repeat(200_000))[0]?.words).toContain('嵌套超过')
    const deep = `{"properties":[{"identifier":"a","name":"a","define":${'{"type":"array","arrayInfo":'.repeat(5000)}`
    expect(faults(deep)[0]?.words).toContain('嵌套超过')
  })

  test.each([
    ['"text"', '', '文档必须是对象'],
    ['[]', '', '文档必须是对象'],
    ['{"properties": {}}', 'properties', 'properties 必须是数组'],
    ['{"events": [{"name": "x"}]}', 'events.0.identifier', 'identifier 不能为空'],
    ['{"properties": [{"identifier": "a", "name": "x"}]}', 'properties.0.define', 'define 不能为空'],
    [
      '{"events": [{"identifier": "a", "name": "x", "type": "loud"}]}',
      'events.0.type',
      'type 只能是 info、alert、fault',
    ],
    [
      '{"properties": [{"id": "a", "name": "x", "define": {"type": "bool"}}]}',
      'properties.0.identifier',
      'identifier 不能为空',
    ],
  ])('%s is not shaped like a model', (text, path, words) => {
    expect(faults(text)).toEqual([{ line: 1, path, words }])
  })

  test('all faults are named with their lines', () => {
    const text = lines(
      '{',
      '  "properties": [',
      '    {"identifier": "temp", "name": "温度",',
      '     "define": {"type": "int",',
      '       "min": "9",',
      '       "max": "1"}},',
      '    {"identifier": "2nd", "name": "", "define": {"type": "timestamp"}}',
      '  ],',
      '  "actions": [',
      '    {"identifier": "go", "name": "去", "input": [',
      '      {"identifier": "a", "name": "甲", "define": {"type": "timestamp"}},',
      '      {"identifier": "a", "name": "乙", "define": {"type": "timestamp"}}]},',
      '    {"identifier": "temp", "name": "重名"}',
      '  ]',
      '}',
    )
    expect(faults(text).map(({ line, path }) => ({ line, path }))).toEqual([
      { line: 6, path: 'properties.temp.define.max' },
      { line: 7, path: 'properties.2nd.identifier' },
      { line: 7, path: 'properties.2nd.name' },
      { line: 12, path: 'actions.go.input.a' },
      { line: 13, path: 'actions.temp' },
    ])
  })

  test.each([
    ['identifier of 128 characters', { identifier: 'a'.repeat(128) }, []],
    ['identifier of 129 characters', { identifier: 'a'.repeat(129) }, ['identifier']],
    ['identifier with a minus', { identifier: 'a-b' }, ['identifier']],
    ['identifier that starts with _', { identifier: '_a' }, []],
    ['empty identifier', { identifier: '' }, ['identifier']],
    ['identifier in Chinese', { identifier: '温度' }, ['identifier']],
    ['name of 64 characters', { name: '名'.repeat(64) }, []],
    ['name of 65 characters', { name: '名'.repeat(65) }, ['name']],
    ['blank name', { name: '  ' }, ['name']],
    ['description of 80 characters', { desc: '字'.repeat(80) }, []],
    ['description of 81 characters', { desc: '字'.repeat(81) }, ['desc']],
  ])('limits: %s', (_name, change, wrong) => {
    const property = { ...temperature, ...change }
    expect(faults(JSON.stringify({ properties: [property] })).map(({ path }) => path)).toEqual(
      wrong.map((key) => `properties.${property.identifier}.${key}`),
    )
  })

  test('20 parameters are allowed in each list, 21 are not', () => {
    const params = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ identifier: `p${i}`, name: '参数', define: { type: 'timestamp' } }))
    const event = (count: number) => ({ events: [{ identifier: 'e', name: '事件', params: params(count) }] })
    expect(faults(JSON.stringify(event(20)))).toEqual([])
    expect(faults(JSON.stringify(event(21)))).toMatchObject([{ path: 'events.e.params' }])
    const action = { actions: [{ identifier: 'a', name: '行为', input: params(21), output: params(21) }] }
    expect(faults(JSON.stringify(action)).map(({ path }) => path)).toEqual(['actions.a.input', 'actions.a.output'])
  })

  test('500 functions are allowed, 501 are not', () => {
    const properties = Array.from({ length: 501 }, (_, i) => ({ ...temperature, identifier: `p${i}` }))
    expect(faults(JSON.stringify({ properties: properties.slice(1) }))).toEqual([])
    expect(faults(JSON.stringify({ properties }))).toMatchObject([{ path: '', words: expect.stringContaining('500') }])
  })
})

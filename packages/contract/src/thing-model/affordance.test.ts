import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromItem, functionsOf, type ItemInput, toAffordance } from './affordance.ts'
import { rawModels } from './testing/model-arbitraries.ts'
import { readTslText } from './tsl.ts'

const item = (type: 1 | 2 | 3, affordance: unknown): ItemInput => ({
  type,
  identifier: 'x1',
  name: '功能',
  desc: '说明',
  required: 2,
  affordance: typeof affordance === 'string' ? affordance : JSON.stringify(affordance),
})

function accepted(type: 1 | 2 | 3, affordance: unknown) {
  const result = fromItem(item(type, affordance))
  if (!result.ok) throw new Error(JSON.stringify(result.issues))
  return result.part
}
function refused(type: 1 | 2 | 3, affordance: unknown) {
  const result = fromItem(item(type, affordance))
  return result.ok ? [] : result.issues.map((issue) => issue.path)
}

const common = { identifier: 'x1', name: '功能', desc: '说明', required: false }

/** thing-model.md 3 "What the console POSTs": the same superset for all three types. */
const superset = {
  define: {
    arrayInfo: {},
    specs: [],
    elementType: 'int',
    dataDefinitionForEnum: [{ label: '0', value: 'x' }],
    type: 'bool',
    numericalRange: { min: '1', max: '100' },
    mapping: { 0: '关', 1: '开' },
    max: '100',
    min: '1',
    start: '0',
    step: '1',
    unit: '',
  },
  isUseShadow: false,
  params: [],
  input: [],
  output: [],
  type: '',
  mode: 'rw',
}
/** With the leftovers of its forms. */
const param = {
  identifier: 'level',
  name: '液位',
  type: 'int',
  shujudingyiForenum: [],
  numericalRange: { min: '0', max: '9' },
  elementType: '',
  dataType: { min: '0', max: '9' },
  define: { type: 'int', min: '0', max: '9', start: '0', step: '1', unit: 'm', specs: [], arrayInfo: {} },
}
const storedParam = {
  identifier: 'level',
  name: '液位',
  define: { type: 'int', min: '0', max: '9', start: '0', step: '1', unit: 'm' },
}

describe('what the public console posts', () => {
  test('a property keeps what its type needs', () => {
    expect(accepted(1, superset)).toEqual({
      type: 1,
      value: {
        ...common,
        mode: 'rw',
        define: { type: 'bool', mapping: { 0: '关', 1: '开' } },
        isUseShadow: false,
        isNoRecord: false,
      },
    })
  })

  test('a struct keeps its members under dataType, an array its element', () => {
    const specs = [{ identifier: 'a', name: '甲', type: 'string', dataType: { type: 'string', max: '8', specs: [] } }]
    expect(accepted(1, { ...superset, define: { ...superset.define, type: 'struct', specs } }).value).toMatchObject({
      define: { type: 'struct', specs: [{ identifier: 'a', name: '甲', dataType: { type: 'string', max: '8' } }] },
    })
    const arrayInfo = { type: 'int', min: '1', max: '3', start: '', step: '', unit: '', specs: [], arrayInfo: {} }
    expect(accepted(1, { ...superset, define: { ...superset.define, type: 'array', arrayInfo } }).value).toMatchObject({
      define: { type: 'array', arrayInfo: { type: 'int', min: '1', max: '3', start: '1', step: '1' } },
    })
  })

  test('an event may have its type in define, empty texts for mode and flag, and both spellings of parameters', () => {
    const posted = { ...superset, mode: '', isUseShadow: '', params: [param] }
    const wanted = { type: 2, value: { ...common, type: 'alert', params: [storedParam] } }
    expect(accepted(2, { ...posted, type: 'alert', define: { ...superset.define, type: 'alert' } })).toEqual(wanted)
    expect(accepted(2, { ...posted, type: '', define: { type: 'alert' } })).toEqual(wanted)
    for (const define of [{}, superset.define]) {
      expect(accepted(2, { ...posted, type: '', define }).value).toMatchObject({ type: 'info' })
    }
  })

  test('an action keeps its direction; without one it goes down', () => {
    const posted = { ...superset, mode: '', isUseShadow: '', input: [param], output: [] }
    expect(accepted(3, posted)).toEqual({
      type: 3,
      value: { ...common, dir: 'down', input: [storedParam], output: [] },
    })
    expect(accepted(3, { ...posted, dir: 'up' }).value).toMatchObject({ dir: 'up' })
  })

  test.each([
    ['only dataType with its type', { ...param, define: undefined, dataType: param.define }],
    ['only dataType, the type beside it', { ...param, define: {}, dataType: { ...param.define, type: undefined } }],
    ['null for what is empty', { ...param, define: { ...param.define, mapping: null, specs: null }, dataType: null }],
  ])('a parameter with %s is understood', (_name, given) => {
    expect(accepted(2, { type: 'info', params: [given] }).value).toMatchObject({ params: [storedParam] })
  })

  test('lists that are null, empty text or absent are empty', () => {
    expect(accepted(3, { input: null, output: '' }).value).toMatchObject({ input: [], output: [] })
    expect(accepted(2, {}).value).toMatchObject({ params: [] })
  })
})

describe('refusals', () => {
  test.each(['', '{', '[]', '"text"', '1', 'null'])('%j is no affordance', (text) => {
    expect(fromItem(item(1, text))).toEqual({
      ok: false,
      issues: [{ path: 'affordance', text: '模板的json格式不对' }],
    })
  })

  test.each([
    ['no define', 1, {}, ['define']],
    ['an unknown type', 1, { define: { type: 'date' } }, ['define.type']],
    ['an unknown mode', 1, { define: { type: 'timestamp' }, mode: 'w' }, ['mode']],
    ['an unknown kind of event', 2, { type: 'loud' }, ['type']],
    ['an unknown direction', 3, { dir: 'left' }, ['dir']],
    ['parameters that are no list', 2, { params: { a: 1 } }, ['params']],
    ['a parameter without a type', 2, { params: [{ identifier: 'a', name: '甲' }] }, ['params.0.define']],
    ['a parameter that is no object', 2, { params: ['a'] }, ['params.0']],
    ['a parameter twice', 2, { params: [param, param] }, ['params.level']],
    ['a fault in a parameter', 3, { input: [{ ...param, define: { type: 'enum' } }] }, ['input.level.define.mapping']],
  ] as const)('%s', (_name, type, affordance, paths) => {
    expect(refused(type, affordance)).toEqual(paths)
  })

  test('nesting without end is refused, not followed', () => {
    const deep = `${'{"define":'.repeat(10_000)}1${'}'.repeat(10_000)}`
    expect(refused(1, deep)).toEqual(['affordance'])
    const arrays = '{"type":"array","arrayInfo":'
    expect(refused(1, `{"define":${arrays.repeat(6_000)}{"type":"int"}${'}'.repeat(6_001)}`)).toEqual(['affordance'])
  })

  test('identifier, name and description are checked too', () => {
    const result = fromItem({ ...item(2, {}), identifier: '1a', name: '', desc: '字'.repeat(81) })
    expect(result.ok ? [] : result.issues.map((issue) => issue.path)).toEqual(['identifier', 'name', 'desc'])
  })
})

describe('what the public console reads', () => {
  test('define.specs is a list for every row, and define exists for events and actions', () => {
    const affordanceOf = (type: 1 | 2 | 3, posted: unknown) => JSON.parse(toAffordance(accepted(type, posted)))
    expect(affordanceOf(1, superset)).toEqual({
      define: { type: 'bool', mapping: { 0: '关', 1: '开' }, specs: [] },
      mode: 'rw',
      isUseShadow: false,
      isNoRecord: false,
    })
    expect(affordanceOf(2, { type: 'fault', params: [param] })).toEqual({
      type: 'fault',
      params: [storedParam],
      define: { specs: [] },
    })
    expect(affordanceOf(3, { dir: 'up', output: [param] })).toEqual({
      dir: 'up',
      input: [],
      output: [storedParam],
      define: { specs: [] },
    })
  })

  test('what was read can be posted again and changes nothing', async () => {
    await fc.assert(
      fc.property(rawModels, (raw) => {
        for (const part of functionsOf(readTslText(JSON.stringify(raw)).model)) {
          const { identifier, name, desc, required } = part.value
          const again = fromItem({
            type: part.type,
            identifier,
            name,
            desc,
            required: required ? 1 : 2,
            affordance: toAffordance(part),
          })
          expect(again).toEqual({ ok: true, part })
        }
      }),
      { numRuns: 60 },
    )
  })
})

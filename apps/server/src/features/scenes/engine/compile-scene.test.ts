import { parseScene } from '@ithings/contract/rules/scene-text.ts'
import { describe, expect, test } from 'vitest'
import { said } from '#testing/said.ts'
import { productsOf } from './compile-scene.ts'
import { makeScene, makeTrigger, type RawTrigger } from './testing/pump-scene.ts'

const problemOf = (trigger: RawTrigger) => said(makeScene({ triggers: [trigger] }).problems)
const condition = (schema: object, fields: object = {}) => ({
  columnType: 'property',
  columnSchema: { productID: 'pump', deviceName: 'P02', dataID: ['temp'], termType: 'gt', values: '80', ...schema },
  ...fields,
})
const conditionProblems = (...conditions: unknown[]) =>
  said(makeScene({ triggers: [{ operationSchema: { dataID: ['temp'] } }], conditions }).problems)

describe('triggers', () => {
  test('what they compare with, show and say', () => {
    const trigger = makeTrigger({ minInterval: 60, once: true }, { type: 'duration', value: 30 })
    expect(said(trigger)).toMatchObject({
      no: 0,
      productID: 'pump',
      dataID: 'temp',
      member: '',
      threshold: ['80'],
      keepMs: 30_000,
      times: 1,
      once: true,
      minIntervalMs: 60_000,
      text: '温度 > 80 ℃ 持续 30 秒',
    })
    expect(trigger.show(83.6)).toBe('83.6 ℃')
    const mode = makeTrigger({ operationSchema: { dataID: ['mode'], termType: 'in', values: ['1', '2'] } })
    expect(said(mode.text)).toBe('模式 属于 自动、手动')
    expect(mode.show(0)).toBe('停')
  })

  test('units become milliseconds', () => {
    expect(makeTrigger({}, { type: 'duration', value: 1.5, unit: 'minutes' }).keepMs).toBe(90_000)
    expect(makeTrigger({}, { type: 'repeating', value: 3, window: 5 })).toMatchObject({ times: 3, windowMs: 5000 })
    expect(makeTrigger({}, { type: 'repeating', value: 1 })).toMatchObject({ times: 1, keepMs: 0 })
  })

  test('devices by name and by group', () => {
    const fixed = makeTrigger({ selector: 'fixed', selectorValues: ['P01', 'P02'] })
    expect([...fixed.names]).toEqual(['P01', 'P02'])
    expect(makeTrigger({ selector: 'group', selectorValues: ['12'] }).groupID).toBe(12)
  })

  test.each<[string, RawTrigger, string]>([
    ['a product', { productID: 'gone', operationSchema: { dataID: ['temp'] } }, '触发 1：产品 gone 不存在'],
    ['a property', { operationSchema: { dataID: ['gone'] } }, '触发 1：产品“水泵”没有属性 gone'],
    ['a member', { operationSchema: { dataID: ['pos', 'z'] } }, '触发 1：属性“位置”没有成员 z'],
    ['an event', { operator: 'reportEvent', operationSchema: { dataID: ['gone'] } }, '触发 1：产品“水泵”没有事件 gone'],
    [
      'a parameter',
      { operator: 'reportEvent', operationSchema: { dataID: ['fault', 'x'] } },
      '触发 1：事件“故障”没有参数 x',
    ],
    [
      'a silent property',
      { operator: 'noReport', operationSchema: { dataID: ['gone'], minutes: 5 } },
      '触发 1：产品“水泵”没有属性 gone',
    ],
    [
      'a value that fits',
      { operationSchema: { dataID: ['count'], termType: 'eq', values: ['many'] } },
      '触发 1：“次数”是整数型，比较值不符：many',
    ],
    [
      'a member to compare',
      { operationSchema: { dataID: ['pos'], termType: 'eq', values: ['1'] } },
      '触发 1：“位置”是结构体，须选择其中的成员',
    ],
    [
      'a way to compare lists',
      { operationSchema: { dataID: ['list'], termType: 'eq', values: ['1'] } },
      '触发 1：“列表”是数组，不支持比较',
    ],
    [
      'a parameter to compare',
      { operator: 'reportEvent', operationSchema: { dataID: ['fault'], termType: 'eq', values: ['1'] } },
      '触发 1：事件“故障”的比较须选择参数',
    ],
  ])('without %s there is a problem and no trigger', (_, trigger, problem) => {
    const scene = makeScene({ triggers: [trigger, { operationSchema: { dataID: ['temp'] } }] })
    expect(said(scene.problems)).toEqual([problem])
    expect(scene.triggers.map(({ no }) => no)).toEqual([1])
  })

  test('everything there: no problem', () => {
    expect(problemOf({ operationSchema: { dataID: ['pos', 'x'], termType: 'btw', values: ['1', '5'] } })).toEqual([])
  })
})

describe('conditions', () => {
  test('each source is needed once', () => {
    const scene = makeScene({
      triggers: [{ operationSchema: { dataID: ['temp'] } }],
      conditions: [
        condition({}),
        condition({ values: '90' }),
        condition({ deviceName: '' }),
        condition({ dataID: ['pos', 'x'] }, { terms: [condition({ dataID: ['pos', 'y'] })] }),
      ],
    })
    expect(scene.needs).toEqual([
      { productID: 'pump', deviceName: 'P02', property: 'temp' },
      { productID: 'pump', deviceName: '', property: 'temp' },
      { productID: 'pump', deviceName: 'P02', property: 'pos' },
    ])
  })

  test('problems name the place, also inside groups', () => {
    const group = { columnType: 'group', terms: [condition({}), condition({ dataID: ['gone'] })] }
    expect(conditionProblems(condition({}), group)).toEqual(['条件 2.2：产品“水泵”没有属性 gone'])
    expect(conditionProblems(condition({ productID: 'gone' }))).toEqual(['条件 1：产品 gone 不存在'])
    expect(conditionProblems(condition({ values: 'x' }))).toEqual(['条件 1：“温度”是浮点型，比较值不符：x'])
    expect(conditionProblems({ columnType: 'event' })).toEqual(['条件 1：事件不能作为条件，它永远不成立'])
    expect(conditionProblems({ columnType: 'sysTime', columnTime: { cron: '* * 25 * * ?' } })).toEqual([
      '条件 1：时间条件无法识别：* * 25 * * ?',
    ])
  })

  test('the device that started the scene must be one of the product', () => {
    expect(conditionProblems(condition({ deviceName: '', productID: 'fan' }))).toEqual([
      '条件 1：触发设备不属于产品“风机”',
    ])
    const timer = makeScene({ triggerType: 'timer', conditions: [condition({ deviceName: '' })] })
    expect(said(timer.problems)).toEqual(['条件 1：定时场景没有触发设备，请选择设备'])
    expect(timer.conditions[0]?.kind).toBe('never')
  })
})

test('the products that a scene needs are named, each once', () => {
  const parts = parseScene({
    triggerType: 'device',
    trigger: JSON.stringify([
      { productID: 'a', operator: 'connected' },
      { productID: 'b', operator: 'connected' },
    ]),
    when: JSON.stringify([
      { columnType: 'group', terms: [condition({ productID: 'c' }), condition({ productID: 'a' })] },
    ]),
  })
  expect(productsOf(parts)).toEqual(['a', 'b', 'c'])
})

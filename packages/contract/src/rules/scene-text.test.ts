import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { parseScene, type SceneTexts, sceneTexts } from './scene-text.ts'

const timer = '{"timer":{"type":"cron","cron":"0 0 12 * * ?"}}'
const device = {
  productID: 'p1',
  selector: 'fixed',
  selectorValues: ['dev1'],
  operator: 'reportProperty',
  operationSchema: {
    dataID: ['temp'],
    termType: 'gt',
    values: ['30'],
    stateKeep: { type: 'duration', value: 1, unit: 'seconds' },
  },
}
const refusal = (texts: SceneTexts): string => {
  try {
    parseScene(texts)
  } catch (error) {
    return error instanceof AppError ? `${error.code} ${error.message}` : String(error)
  }
  return ''
}

describe('what existing consoles write (rules.md 1 to 4)', () => {
  test.each([undefined, null, '', '  ', 'null'])('conditions and actions that say %j are empty', (nothing) => {
    const scene = parseScene({ triggerType: 'timer', trigger: timer, when: nothing, then: nothing })
    expect(scene.conditions).toEqual([])
    expect(scene.actions).toEqual([])
  })

  test('the bare list of device triggers and the object mean the same', () => {
    const bare = parseScene({ triggerType: 'device', trigger: JSON.stringify([device]) })
    const object = parseScene({ triggerType: 'device', trigger: JSON.stringify({ device: [device], timer: null }) })
    expect(bare).toEqual(object)
    expect(bare.trigger.device).toHaveLength(1)
  })

  test('one value as a plain text and as a list are both kept as they came', () => {
    const leaf = (values: unknown) => ({
      columnType: 'property',
      columnSchema: { productID: 'p1', deviceName: 'dev1', dataID: ['temp'], termType: 'gt', values },
      netCondition: 'and',
    })
    const { conditions } = parseScene({
      triggerType: 'timer',
      trigger: timer,
      when: JSON.stringify([leaf('30'), leaf(['30']), leaf(30)]),
    })
    expect(conditions.map((one) => one.columnSchema?.values)).toEqual(['30', ['30'], '30'])
  })

  test('the keys of other executors are null when read back', () => {
    const { actions } = parseScene({
      triggerType: 'manual',
      then: '[{"executor":"delay","delay":{"time":5,"unit":"seconds"}}]',
    })
    expect(actions).toEqual([
      {
        executor: 'delay',
        delay: { time: 5, unit: 'seconds' },
        device: null,
        alarm: null,
        notify: null,
        scene: null,
      },
    ])
  })

  test('what was parsed parses again to the same', () => {
    const first = parseScene({
      triggerType: 'device',
      trigger: JSON.stringify([{ ...device, once: true, minInterval: 60 }]),
      when: JSON.stringify([
        { columnType: 'sysTime', columnTime: { type: 'cron', cron: '* 0-30 9 * * ?' }, netCondition: 'or' },
        {
          columnType: 'group',
          netCondition: 'and',
          terms: [{ columnType: 'sysTime', columnTime: { type: 'range', start: '22:00', end: '06:00' } }],
        },
      ]),
      then: JSON.stringify([
        { executor: 'alarm', alarm: { mode: 'trigger' }, parallel: true },
        {
          executor: 'device',
          device: {
            productID: 'p1',
            selector: 'trigger',
            type: 'propertyControl',
            value: '{"power":1}',
          },
        },
      ]),
    })
    expect(parseScene({ triggerType: 'device', ...sceneTexts(first) })).toEqual(first)
  })

  test('a manual scene has no trigger, whatever is said', () => {
    expect(parseScene({ triggerType: 'manual', trigger: 'not even JSON' }).trigger).toEqual({
      device: null,
      timer: null,
    })
  })
})

describe('refusals name the part', () => {
  test.each<[string, SceneTexts, string]>([
    ['a timer without a cron', { triggerType: 'timer', trigger: '{}' }, '触发：请填写 cron 表达式'],
    ['a device scene without a trigger', { triggerType: 'device', trigger: '[]' }, '触发：至少需要一个设备触发'],
    ['text that is no JSON', { triggerType: 'timer', trigger: timer, when: '[' }, '条件：JSON 格式不对'],
    ['actions that are no list', { triggerType: 'manual', then: '{}' }, '动作：'],
    ['an unknown executor', { triggerType: 'manual', then: '[{"executor":"sms"}]' }, '动作：'],
    ['an action without its object', { triggerType: 'manual', then: '[{"executor":"delay"}]' }, '动作缺少参数'],
    [
      'a cron of five fields',
      { triggerType: 'timer', trigger: '{"timer":{"cron":"0 12 * * *"}}' },
      'cron表达式检验不通过',
    ],
    ['a text beyond all measure', { triggerType: 'manual', then: `${' '.repeat(65_537)}[]` }, '动作：最长'],
  ])('%s', (_, texts, wanted) => {
    const message = refusal(texts)
    expect(message).toContain('100006')
    expect(message).toContain(wanted)
  })
})

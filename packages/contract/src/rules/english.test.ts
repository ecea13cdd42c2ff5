/** What scenes and alarms say in English: the sentences are put together, so each kind is read as a whole here. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeIssue, saying } from '../describe-issue.ts'
import english from '../en.json' with { type: 'json' }
import moreEnglish from '../en-later.json' with { type: 'json' }
import { fill, keeping, sayKept, speakBy, type Translate } from '../text.ts'
import type { ThingModel } from '../thing-model/model.ts'
import { type AlarmWords, clearedManyTexts, clearedTexts, raisedTexts, standingManyTexts } from './alarm-notice.ts'
import { describeAction, describeScene, describeTrigger } from './describe.ts'
import { cronRangeText, cronSentence, cronWords } from './describe-cron.ts'
import { modelNames, type SceneNames } from './scene-names.ts'
import { sceneContent } from './scene-notice.ts'
import { sceneConditions } from './scene-parts.ts'
import { parseScene } from './scene-text.ts'
import type { SentencePart } from './sentence.ts'

const texts: Readonly<Record<string, string>> = { ...english, ...moreEnglish }

/** As the programs read a catalogue: the context and the singular first. */
const translate: Translate = (text, values) => {
  const forms = values?.count === 1 ? ['_one', ''] : ['']
  const contexts = values?.context === undefined ? [''] : [`_${values.context}`, '']
  const found = contexts.flatMap((context) => forms.map((form) => texts[text + context + form]))
  return fill(found.find((one) => one !== undefined) ?? text, values)
}

beforeAll(() => speakBy(translate))
afterAll(() => speakBy(fill))

const text = (parts: readonly SentencePart[]) => parts.map((part) => part.text).join('')
const said = (parts: readonly SentencePart[]) =>
  parts.map((part) => (part.strong ? `*${part.text}*` : part.text)).join('')

const property = { desc: '', required: false, mode: 'rw', isUseShadow: false, isNoRecord: false } as const
const model: ThingModel = {
  properties: [
    { ...property, identifier: 'temp', name: 'temperature', define: { type: 'float', unit: '℃' } },
    {
      ...property,
      identifier: 'run',
      name: 'state',
      define: { type: 'enum', mapping: { 0: 'stopped', 1: 'running' } },
    },
  ],
  events: [{ desc: '', required: false, identifier: 'overflow', name: 'overflow', type: 'alert', params: [] }],
  actions: [{ desc: '', required: false, identifier: 'stop', name: 'stop pump', dir: 'down', input: [], output: [] }],
}
const known = modelNames(model)
const names: SceneNames = {
  product: () => 'pump',
  property: (_, dataID) => known.property(dataID),
  event: (_, dataID) => known.event(dataID),
  action: (_, id) => known.action(id),
  device: () => undefined,
  group: () => 'East',
  channel: (id) => (id === 1 ? 'On duty' : undefined),
  scene: () => 'Spare line',
  alarms: ['Pump too hot', 'Pump dry', 'Pump lost'],
  zone: 'UTC+8',
}

interface Given {
  device?: object[]
  cron?: string
  when?: object[]
  then?: object[]
}
const sceneOf = ({ device, cron, when = [], then = [] }: Given) =>
  describeScene(
    parseScene({
      triggerType: device ? 'device' : cron ? 'timer' : 'manual',
      trigger: JSON.stringify({ device, ...(cron && { timer: { type: 'cron', cron } }) }),
      when: JSON.stringify(when),
      then: JSON.stringify(then),
    }),
    names,
  )

const reports = (schema: object, more: object = {}) => ({
  productID: 'p',
  selector: 'all',
  operator: 'reportProperty',
  operationSchema: { dataID: ['temp'], ...schema },
  ...more,
})
const hot = { termType: 'gt', values: ['80'] }

describe('the trigger of a scene', () => {
  test.each([
    [reports({ ...hot, stateKeep: { type: 'duration', value: 30 } }), 'any pump *temperature > 80 ℃* for 30 seconds'],
    [
      reports({ ...hot, stateKeep: { type: 'duration', value: 1, unit: 'minutes' } }),
      'any pump *temperature > 80 ℃* for 1 minute',
    ],
    [
      reports({ ...hot, stateKeep: { type: 'repeating', value: 3, window: 300 } }),
      'any pump *temperature > 80 ℃* 3 times within 5 minutes',
    ],
    [reports({ termType: 'btw', values: ['10', '20'] }), 'any pump *temperature between 10 and 20 ℃*'],
    [reports({ termType: 'in', values: ['1', '2'] }), 'any pump *temperature in 1, 2 ℃*'],
    [reports({}), 'any pump *reports temperature*'],
    [reports(hot, { selector: 'group', selectorValues: ['7'] }), 'any pump in East *temperature > 80 ℃*'],
    [
      reports(hot, { selector: 'fixed', selectorValues: ['a', 'b', 'c'] }),
      'a and others (3 devices) *temperature > 80 ℃*',
    ],
    [{ productID: 'p', operator: 'connected' }, 'any pump *goes online*'],
    [
      {
        productID: 'p',
        operator: 'disConnected',
        operationSchema: { stateKeep: { type: 'duration', value: 5, unit: 'minutes' } },
      },
      'any pump *goes offline* for over 5 minutes',
    ],
    [
      { productID: 'p', operator: 'noReport', operationSchema: { minutes: 10, dataID: ['temp'] } },
      'any pump *temperature without data for 10 minutes*',
    ],
    [
      { productID: 'p', operator: 'reportEvent', operationSchema: { dataID: ['overflow'] } },
      'any pump event *overflow*',
    ],
  ])('%j is "%s"', (device, wanted) => {
    expect(said(sceneOf({ device: [device] }).trigger)).toBe(wanted)
  })

  test('of several happenings joins them by "or", and names the devices once', () => {
    const event = { productID: 'p', operator: 'reportEvent', operationSchema: { dataID: ['overflow'] } }
    expect(text(sceneOf({ device: [reports(hot), event] }).trigger)).toBe(
      'any pump temperature > 80 ℃ or event overflow',
    )
  })

  test('of a timer is said in words with the zone, of a manual scene it is the hand', () => {
    expect(said(sceneOf({ cron: '0 30 6 ? * MON-FRI' }).trigger)).toBe('Mon to Fri at *06:30:00* (UTC+8)')
    expect(text(sceneOf({}).trigger)).toBe('run by hand')
  })
})

const propertyIs = (value: string, net = 'and', deviceName = '') => ({
  columnType: 'property',
  columnSchema: { productID: 'p', deviceName, dataID: ['temp'], termType: 'gt', values: value },
  netCondition: net,
})
const range = (weekdays: number[]) => ({
  columnType: 'sysTime',
  columnTime: { type: 'range', start: '08:00', end: '20:00', weekdays },
  netCondition: 'and',
})

test.each([
  [[propertyIs('1'), propertyIs('2')], 'temperature > 1 ℃ and temperature > 2 ℃'],
  [[propertyIs('1', 'or'), propertyIs('2')], '(temperature > 1 ℃ or temperature > 2 ℃)'],
  [
    [propertyIs('1', 'or'), propertyIs('2'), propertyIs('3')],
    '(temperature > 1 ℃ or temperature > 2 ℃) and temperature > 3 ℃',
  ],
  [
    [range([1, 2, 3, 4, 5]), { columnType: 'group', terms: [propertyIs('1', 'or'), propertyIs('2')] }],
    'workdays 08:00–20:00 and (temperature > 1 ℃ or temperature > 2 ℃)',
  ],
  [[range([6, 7])], 'weekends 08:00–20:00'],
  [[range([1, 3])], 'Mon, Wed 08:00–20:00'],
  [[propertyIs('5', 'and', 'p02')], 'p02 temperature > 5 ℃'],
])('conditions %j are "%s"', (when, wanted) => {
  expect(text(sceneOf({ when }).when)).toBe(wanted)
})

const output = (device: object) => ({
  executor: 'device',
  device: { productID: 'p', selector: 'trigger', type: 'propertyControl', value: '{}', ...device },
})
test.each([
  [output({ value: '{"temp":42.5,"run":1}' }), 'set *temperature = 42.5 ℃, state = running*'],
  [output({ selector: 'all', value: '{"run":0}' }), 'set *state = stopped* on all pump'],
  [output({ value: '{"a":1,"b":2,"c":3,"d":4}' }), 'set *a = 1, b = 2, c = 3 and others, 4 in total*'],
  [
    output({ selector: 'group', selectorValues: ['7'], type: 'action', dataID: 'stop' }),
    'call *“stop pump”* on all pump in East',
  ],
  [output({ type: 'action', dataID: 'stop' }), '*stop pump*'],
  [{ executor: 'delay', delay: { time: 1, unit: 'hours' } }, 'wait *1 hour*'],
  [
    { executor: 'alarm', alarm: { mode: 'trigger' } },
    'raise alarm *“Pump too hot”, “Pump dry” and others, 3 in total*',
  ],
  [{ executor: 'scene', scene: { sceneID: 9 } }, 'run scene *“Spare line”*'],
  [{ executor: 'notify', notify: { channelIDs: [1, 5] } }, 'notify *On duty, channel 5*'],
  [{ executor: 'notify', notify: { type: 'email', to: ['a@b.cn', 'c@d.cn'] } }, 'notify *email to 2 people*'],
  [
    { executor: 'notify', notify: { type: 'dingtalk', url: 'https://robot.example.com/send' } },
    'notify *DingTalk bot (robot.example.com)*',
  ],
])('the action %j is "%s"', (action, wanted) => {
  expect(said(sceneOf({ then: [action] }).then)).toBe(wanted)
  // As the log keeps it: said to each reader as his language puts it together.
  const { actions } = parseScene({ triggerType: 'manual', then: JSON.stringify([action]) })
  const line = keeping(() => actions.map((one) => describeAction(one, names)).join())
  expect(sayKept(line, translate)).toBe(wanted.replaceAll('*', ''))
})

test('a trigger is kept in pieces and said in either language', () => {
  const cron = keeping(() => describeTrigger({ type: 'cron', cron: '0 30 6 ? * MON-FRI' }, names))
  expect(sayKept(cron, translate)).toBe('Mon to Fri at 06:30:00 (UTC+8)')
  expect(sayKept(cron, fill)).toBe('周一至周五 06:30:00（UTC+8）')
})

test.each([
  ['* * * * * *', 'every second'],
  ['0 */5 * * * ?', 'every 5 minutes'],
  ['0 20 * * * *', 'every hour at minute 20'],
  ['0 0 */6 * * *', 'every 6 hours'],
  ['0 0 12 * * ?', 'every day at 12:00:00 (UTC+8)'],
  ['0 0 8,12 * * *', 'every day at 08:00, 12:00 (UTC+8)'],
  ['0 30 6 ? * MON,WED', 'every Mon, Wed at 06:30:00 (UTC+8)'],
  ['0 0 9 1-7 * ?', 'on day 1 to 7 of every month at 09:00:00 (UTC+8)'],
  ['0 0 0 1 6-8 *', 'on day 1 of month 6 to 8, every year, at 00:00:00 (UTC+8)'],
  ['0 */5 * * * 1-5', 'Mon to Fri every 5 minutes'],
])('cron %s is "%s"', (expression, wanted) => {
  expect(text(cronSentence(expression, 'UTC+8'))).toBe(wanted)
})

test('a schedule that stands alone begins with a capital letter, a stretch of time stays in its sentence', () => {
  expect(cronWords('0 0 2 * * *')).toBe('Every day at 02:00')
  expect(cronRangeText('* * 9-17 * * 1-5')).toBe('Mon to Fri 09:00–17:59')
  expect(cronRangeText('* * * * * 6,7')).toBe('every Sat, Sun')
  expect(cronRangeText('* * * * * *')).toBe('at any time')
})

const words: AlarmWords = {
  alarmName: 'Pump too hot',
  level: 'Critical',
  sceneName: 'Stop hot pumps',
  productName: 'Pump',
  deviceName: 'p-9',
  deviceAlias: 'Pump nine',
  trigger: 'temperature > 80 ℃',
  time: '2026-11-15 08:00:00',
  count: 1,
  lasted: 0,
}

describe('the notice of an alarm', () => {
  test('says what was seen, where and when', () => {
    expect(raisedTexts(words)).toEqual({
      title: '[Critical] Pump too hot · Pump nine',
      content:
        'Trigger: temperature > 80 ℃\nDevice: Pump nine (p-9)\nProduct: Pump\nScene: Stop hot pumps\nTime: 2026-11-15 08:00:00',
    })
  })

  test('says that it goes on, since when and how often', () => {
    const { title, content } = raisedTexts({ ...words, count: 3, lasted: 5_400_000 })
    expect(title).toBe('[Critical] Pump too hot · Pump nine (still active)')
    expect(content).toContain('\nDuration: 1 h 30 min, 3 occurrences\n')
  })

  test('says that it was cleared, and by what', () => {
    const { title, content } = clearedTexts({ ...words, lasted: 60_000 })
    expect(title).toBe('[Cleared] Pump too hot · Pump nine')
    expect(content).toContain('Duration: 1 minute, 1 occurrence\nCleared by: scene “Stop hot pumps”\n')
  })

  test('of many names ten devices', () => {
    const devices = Array.from({ length: 12 }, (_, at) => `p${at}`)
    expect(standingManyTexts(words, devices).title).toBe('[Critical] Pump too hot · 12 records (still active)')
    expect(clearedManyTexts(words, devices).content).toContain('p8, p9 and others, 12 in total\n')
    expect(clearedManyTexts(words, ['p0']).title).toBe('[Cleared] Pump too hot · 1 record')
  })

  test('of a scene says the same in its own order', () => {
    expect(sceneContent(words)).toBe(
      'Trigger: temperature > 80 ℃\nDevice: Pump nine (p-9)\nProduct: Pump\nScene: Stop hot pumps\nTime: 2026-11-15 08:00:00',
    )
  })
})

test('a fault of a form names the field in front of its sentence', () => {
  const issue = sceneConditions.safeParse(Array.from({ length: 300 }, () => propertyIs('1'))).error?.issues[0]
  expect(issue && describeIssue(issue, 'Conditions')).toMatch(/^Conditions At most \d+ conditions$/)
  expect(saying('最多 {max} 个条件', { max: 5 }).message).toBe('最多 5 个条件')
})

/** What scenes and alarms say in English: the sentences are put together, so each kind is read as a whole here. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeIssue, saying } from '../describe-issue.ts'
import english from '../en.json' with { type: 'json' }
import moreEnglish from '../en-later.json' with { type: 'json' }
import { fill, keeping, sayKept, speakBy, type Translate } from '../text.ts'
import type { ThingModel } from '../thing-model/model.ts'
import { type AlarmWords, clearedManyTexts, clearedTexts, raisedTexts, standingManyTexts } from './alarm-notice.ts'
import { describeScene } from './describe.ts'
import { describeAction, thenSentence } from './describe-action.ts'
import { describeCondition } from './describe-condition.ts'
import { cronRangeText, cronSentence, cronWords } from './describe-cron.ts'
import { describeTrigger, triggerName } from './describe-trigger.ts'
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
  events: [
    {
      desc: '',
      required: false,
      identifier: 'overflow',
      name: 'overflow',
      type: 'alert',
      params: [{ identifier: 'level', name: 'level', define: { type: 'float', unit: 'm' } }],
    },
  ],
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
const partsOf = ({ device, cron, when = [], then = [] }: Given) =>
  parseScene({
    triggerType: device ? 'device' : cron ? 'timer' : 'manual',
    trigger: JSON.stringify({ device, ...(cron && { timer: { type: 'cron', cron } }) }),
    when: JSON.stringify(when),
    then: JSON.stringify(then),
  })
const sceneOf = (given: Given) => describeScene(partsOf(given), names)

const reports = (schema: object, more: object = {}) => ({
  productID: 'p',
  selector: 'all',
  operator: 'reportProperty',
  operationSchema: { dataID: ['temp'], ...schema },
  ...more,
})
const hot = { termType: 'gt', values: ['80'] }

const overflow = { productID: 'p', operator: 'reportEvent', operationSchema: { dataID: ['overflow'] } }
const away = (more: object = {}) => ({ productID: 'p', operator: 'disConnected', ...more })
const lasting = { operationSchema: { stateKeep: { type: 'duration', value: 5, unit: 'minutes' } } }
const silent = (dataID: string[]) => ({
  productID: 'p',
  operator: 'noReport',
  operationSchema: { minutes: 10, dataID },
})
const chosen = (...selectorValues: string[]) => ({ selector: 'fixed', selectorValues })

describe('the trigger of a scene', () => {
  test.each([
    [
      reports({ ...hot, stateKeep: { type: 'duration', value: 30 } }),
      'the *temperature* of any pump is *above 80 ℃* for 30 seconds',
    ],
    [
      reports({ ...hot, stateKeep: { type: 'duration', value: 1, unit: 'minutes' } }),
      'the *temperature* of any pump is *above 80 ℃* for 1 minute',
    ],
    [
      reports({ ...hot, stateKeep: { type: 'repeating', value: 3, window: 300 } }),
      'the *temperature* of any pump is *above 80 ℃* 3 times within 5 minutes',
    ],
    [reports({ termType: 'gte', values: ['80'] }), 'the *temperature* of any pump is *at least 80 ℃*'],
    [reports({ termType: 'lt', values: ['5'] }), 'the *temperature* of any pump is *below 5 ℃*'],
    [reports({ termType: 'lte', values: ['5'] }), 'the *temperature* of any pump is *at most 5 ℃*'],
    [reports({ termType: 'btw', values: ['10', '20'] }), 'the *temperature* of any pump is *between 10 and 20 ℃*'],
    [reports({ termType: 'in', values: ['1', '2'] }), 'the *temperature* of any pump is *one of 1, 2 ℃*'],
    [reports({ dataID: ['run'], termType: 'eq', values: ['1'] }), 'the *state* of any pump is *running*'],
    [reports({ dataID: ['run'], termType: 'not', values: ['1'] }), 'the *state* of any pump is *not running*'],
    [reports({}), 'any pump reports *temperature*'],
    [
      reports(hot, { selector: 'group', selectorValues: ['7'] }),
      'the *temperature* of any pump in East is *above 80 ℃*',
    ],
    [reports(hot, chosen('a')), 'the *temperature* of a is *above 80 ℃*'],
    [reports(hot, chosen('a', 'b')), 'the *temperature* of a or b is *above 80 ℃*'],
    [reports(hot, chosen('a', 'b', 'c')), 'the *temperature* of a or one of 2 others is *above 80 ℃*'],
    [{ productID: 'p', operator: 'connected' }, 'any pump *goes online*'],
    [away(), 'any pump *goes offline*'],
    [away(lasting), 'any pump has been *offline* for more than 5 minutes'],
    [
      away({ operationSchema: { stateKeep: { type: 'repeating', value: 3, window: 300 } } }),
      'any pump *goes offline* 3 times within 5 minutes',
    ],
    [silent(['temp']), 'any pump has sent *no temperature for 10 minutes*'],
    [silent([]), 'any pump has sent *no data for 10 minutes*'],
    [overflow, 'any pump reports the event *overflow*'],
    [
      {
        ...overflow,
        operationSchema: { dataID: ['overflow', 'level'], termType: 'gte', values: ['2'] },
      },
      'any pump reports an event whose *overflow·level* is *at least 2 m*',
    ],
  ])('%j is "%s"', (device, wanted) => {
    expect(said(sceneOf({ device: [device] }).trigger)).toBe(wanted)
  })

  test('of several happenings joins them by "or", and names the devices once', () => {
    const happenings = [reports(hot), overflow, reports({}), away(), away(lasting), silent([])]
    expect(text(sceneOf({ device: happenings }).trigger)).toBe(
      'the temperature of any pump is above 80 ℃ or it reports the event overflow or it reports temperature' +
        ' or it goes offline or it has been offline for more than 5 minutes or it has sent no data for 10 minutes',
    )
    expect(text(sceneOf({ device: [away(), reports(hot)] }).trigger)).toBe(
      'any pump goes offline or its temperature is above 80 ℃',
    )
  })

  test('of a timer is said in words with the zone, of a manual scene it is the hand', () => {
    expect(said(sceneOf({ cron: '0 30 6 ? * MON-FRI' }).trigger)).toBe('Mon to Fri at *06:30:00* (UTC+8)')
    expect(text(sceneOf({}).trigger)).toBe('run by hand')
  })
})

describe('a trigger as a label', () => {
  test.each([
    [reports({ ...hot, stateKeep: { type: 'duration', value: 30 } }), 'temperature > 80 ℃ for 30 seconds'],
    [reports({ termType: 'btw', values: ['10', '20'] }), 'temperature between 10 and 20 ℃'],
    [reports({}), 'temperature reported'],
    [away(), 'Goes offline'],
    [away(lasting), 'Offline for more than 5 minutes'],
    [silent(['temp']), 'No temperature for 10 minutes'],
    [overflow, 'Event overflow'],
  ])('%j is "%s" for everybody who reads the log later', (device, wanted) => {
    const { trigger } = partsOf({ device: [device] })
    const line = keeping(() => (trigger.device ?? []).map((one) => describeTrigger(one, names)).join())
    expect(sayKept(line, translate)).toBe(wanted)
  })

  test.each([
    [[reports(hot)], 'pump: temperature > 80 ℃'],
    [[reports(hot, chosen('a', 'b'))], 'a or b: temperature > 80 ℃'],
    [[reports(hot), away(lasting)], 'pump: temperature > 80 ℃ or Offline for more than 5 minutes'],
  ])('%j names an alarm "%s"', (device, wanted) => {
    expect(triggerName(partsOf({ device }), names)).toBe(wanted)
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
const timesOf = (cron: string) => ({ columnType: 'sysTime', columnTime: { cron }, netCondition: 'and' })

const weekend = range([6, 7])
const own = (value: string) => `its temperature is above ${value} ℃`
test.each([
  [[propertyIs('1'), propertyIs('2')], `${own('1')} and ${own('2')}`],
  [[propertyIs('1', 'or'), propertyIs('2')], `(${own('1')} or ${own('2')})`],
  [[propertyIs('1', 'or'), propertyIs('2'), propertyIs('3')], `(${own('1')} or ${own('2')}) and ${own('3')}`],
  [
    [range([1, 2, 3, 4, 5]), { columnType: 'group', terms: [propertyIs('1', 'or'), propertyIs('2')] }],
    `the time is between 08:00 and 20:00 on workdays and (${own('1')} or ${own('2')})`,
  ],
  [[range([])], 'the time is between 08:00 and 20:00'],
  [[weekend], 'the time is between 08:00 and 20:00 on weekends'],
  [[range([1, 3])], 'the time is between 08:00 and 20:00 on Mon, Wed'],
  [[timesOf('* * 9-17 * * 1-5')], 'the time is Mon to Fri 09:00–17:59'],
  [[timesOf('* * * * * *')], 'the time is any time'],
  [[timesOf('0 */7 9 * * ?')], 'the time is within cron 0 */7 9 * * ?'],
  [[propertyIs('5', 'and', 'p02')], 'the temperature of p02 is above 5 ℃'],
])('conditions %j are "%s"', (when, wanted) => {
  expect(text(sceneOf({ when }).when)).toBe(wanted)
})

test.each([
  [propertyIs('1'), 'temperature > 1 ℃'],
  [propertyIs('5', 'and', 'p02'), 'p02 temperature > 5 ℃'],
  [weekend, '08:00–20:00 on weekends'],
  [range([]), '08:00–20:00'],
  [{ columnType: 'group', terms: [propertyIs('1', 'or'), propertyIs('2')] }, 'any of these'],
])('the condition %j is "%s" for everybody who reads the log later', (condition, wanted) => {
  const { conditions } = partsOf({ when: [condition] })
  expect(
    sayKept(
      keeping(() => conditions.map((one) => describeCondition(one, names)).join()),
      translate,
    ),
  ).toBe(wanted)
})

const output = (device: object) => ({
  executor: 'device',
  device: { productID: 'p', selector: 'trigger', type: 'propertyControl', value: '{}', ...device },
})
test.each([
  [
    output({ value: '{"temp":42.5,"run":1}' }),
    'set *temperature to 42.5 ℃, state to running*',
    'Set temperature to 42.5 ℃, state to running',
  ],
  [output({ value: '{"temp":42.5}' }), 'set its *temperature* to *42.5 ℃*', 'Set temperature to 42.5 ℃'],
  [
    output({ selector: 'all', value: '{"run":0}' }),
    'set the *state* of every pump to *stopped*',
    'Set state to stopped on every pump',
  ],
  [
    output({ ...chosen('x', 'y', 'z'), value: '{"run":0,"temp":5}' }),
    'set *state to stopped, temperature to 5 ℃* on x and 2 others',
    'Set state to stopped, temperature to 5 ℃ on x and 2 others',
  ],
  [
    output({ value: '{"a":1,"b":2,"c":3,"d":4}' }),
    'set *a to 1, b to 2, c to 3 and 1 more*',
    'Set a to 1, b to 2, c to 3 and 1 more',
  ],
  [
    output({ selector: 'group', selectorValues: ['7'], type: 'action', dataID: 'stop' }),
    'call *“stop pump”* on every pump in East',
    'Call “stop pump” on every pump in East',
  ],
  [output({ type: 'action', dataID: 'stop' }), 'call *“stop pump”*', 'Call “stop pump”'],
  [{ executor: 'delay', delay: { time: 1, unit: 'hours' } }, 'wait *1 hour*', 'Wait 1 hour'],
  [
    { executor: 'alarm', alarm: { mode: 'trigger' } },
    'raise the alarms *“Pump too hot”, “Pump dry” and 1 more*',
    'Raise alarms “Pump too hot”, “Pump dry” and 1 more',
  ],
  [{ executor: 'scene', scene: { sceneID: 9 } }, 'run the scene *“Spare line”*', 'Run scene “Spare line”'],
  [{ executor: 'notify', notify: { channelIDs: [1, 5] } }, 'notify *On duty, channel 5*', 'Notify On duty, channel 5'],
  [
    { executor: 'notify', notify: { type: 'email', to: ['a@b.cn', 'c@d.cn'] } },
    'notify *2 people by email*',
    'Notify 2 people by email',
  ],
  [
    { executor: 'notify', notify: { type: 'dingtalk', url: 'https://robot.example.com/send' } },
    'notify *DingTalk bot (robot.example.com)*',
    'Notify DingTalk bot (robot.example.com)',
  ],
])('the action %j is "%s", in the log "%s"', (action, wanted, line) => {
  expect(said(sceneOf({ then: [action] }).then)).toBe(wanted)
  // As the log keeps it: said to each reader as his language puts it together.
  const { actions } = partsOf({ then: [action] })
  expect(
    sayKept(
      keeping(() => actions.map((one) => describeAction(one, names)).join()),
      translate,
    ),
  ).toBe(line)
})

test.each([
  [[], 'trigger', 'raise an alarm'],
  [['Dry'], 'trigger', 'raise the alarm *“Dry”*'],
  [['Dry', 'Hot'], 'relieve', 'clear the alarms *“Dry” and “Hot”*'],
])('alarms %j: %s is "%s"', (alarms, mode, wanted) => {
  const { actions } = partsOf({ then: [{ executor: 'alarm', alarm: { mode } }] })
  expect(said(thenSentence(actions, { ...names, alarms }))).toBe(wanted)
})

test('actions follow one another, or run together', () => {
  const call = output({ type: 'action', dataID: 'stop' })
  const wait = { executor: 'delay', delay: { time: 10 } }
  const notify = { executor: 'notify', notify: { channelIDs: [1] }, parallel: true }
  expect(text(sceneOf({ then: [call, wait, notify] }).then)).toBe(
    'call “stop pump”, then wait 10 seconds and notify On duty',
  )
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
  expect(cronRangeText('* * * * * *')).toBe('any time')
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

import { functionsOf } from '@ithings/contract/thing-model/affordance.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { payloadSamples } from './payload-sample.ts'
import { pumpStation } from './testing/pump-station.ts'

const now = 1_700_000_000_000
const parts = functionsOf(readTslText(pumpStation).model)
const samplesOf = (identifier: string, values?: Record<string, unknown>) => {
  const part = parts.find((one) => one.value.identifier === identifier)
  return part ? payloadSamples(part, { productID: 'PS3kQ8ZpVn0', now, values }) : []
}

test('device-protocol 5: a writable property is reported and set', () => {
  const [report, control] = samplesOf('run_mode')
  expect(report?.topic).toBe('$thing/up/property/PS3kQ8ZpVn0/{DeviceName}')
  expect(control?.topic).toBe('$thing/down/property/PS3kQ8ZpVn0/{DeviceName}')
  expect(control?.payload).toMatchObject({ method: 'control', params: { run_mode: 1 } })
})

test('a read-only property is reported only', () => {
  expect(samplesOf('flow_rate').map((sample) => sample.key)).toEqual(['report'])
})

test('an event carries its type and all its parameters', () => {
  expect(samplesOf('level_high')[0]?.payload).toMatchObject({
    method: 'event_post',
    eventID: 'level_high',
    type: 'alert',
    params: { level: 3, pump: 2 },
  })
})

test('an action goes its way and its reply comes back the other', () => {
  const [call, reply] = samplesOf('start_pump')
  expect([call?.topic.split('/')[1], reply?.topic.split('/')[1]]).toEqual(['down', 'up'])
  expect(reply?.payload).toMatchObject({ method: 'action_reply', code: 200, response: { started: true } })
  expect(samplesOf('ask_time').map((sample) => sample.topic.split('/')[1])).toEqual(['up', 'down'])
})

test('values that somebody typed take the place of the made ones', () => {
  expect(samplesOf('freq', { freq: 42 })[1]?.payload).toMatchObject({ params: { freq: 42 } })
})

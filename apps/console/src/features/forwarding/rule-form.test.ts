import { type ForwardRule, forwardFilter } from '@ithings/contract/features/forwarding/rules.ts'
import { secretMask, targetTypes } from '@ithings/contract/features/forwarding/targets.ts'
import { expect, test } from 'vitest'
import { checkAll } from '#kit/form/schema-rules.ts'
import { bodyOf, formOf, newRule, ruleForm, targetDefaults, targetFields } from './rule-form.ts'
import { targetSpecs } from './target-specs.ts'

const filled = { ...newRule, name: '入库', url: 'https://example.com/in' }
const checked = (values: object) => {
  const result = checkAll(ruleForm, { ...values }, new Map())
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.data
}
const problemsOf = (values: object) => {
  const result = checkAll(ruleForm, { ...values }, new Map())
  return 'problems' in result ? result.problems.map(({ path }) => path.join('.')) : []
}

test.each(targetTypes)('the form asks for every field of a target of type %s, and for no other', (type) => {
  expect(targetSpecs[type].map(({ name }) => name).sort()).toEqual(targetFields(type).sort())
})

test('a new rule begins with what the contract assumes, and needs a name and an address', () => {
  expect(targetDefaults('s3')).toEqual({
    endpoint: '',
    region: 'us-east-1',
    bucket: '',
    accessKey: '',
    secretKey: '',
    prefix: 'ithings/',
    format: 'ndjson',
    seconds: 300,
    ca: '',
  })
  expect(problemsOf(filled)).toEqual([])
  expect(problemsOf({ ...filled, name: '' })).toEqual(['name'])
  expect(problemsOf({ ...filled, url: '' })).toEqual(['url'])
})

test('what is wrong with a target or a filter is said at its own field', () => {
  expect(problemsOf({ ...filled, url: 'ftp://example.com' })).toEqual(['url'])
  expect(problemsOf({ ...filled, headers: [{ key: '', value: 'x' }] })).toEqual(['headers.0.key'])
  expect(problemsOf({ ...filled, form: 'script' })).toEqual(['script'])
  expect(problemsOf({ ...filled, ...targetDefaults('kafka'), type: 'kafka', brokers: 'a', topic: 't' })).toEqual([
    'brokers',
  ])
})

test('what another type left behind does not travel, and an emptied text is sent as empty', () => {
  const values = { ...filled, ...targetDefaults('s3'), type: 's3', endpoint: 'https://s3.example.com', prefix: '' }
  const { target } = bodyOf(checked({ ...values, bucket: 'lake', accessKey: 'AK', secretKey: 'SK' }))
  expect(target).toEqual({
    type: 's3',
    endpoint: 'https://s3.example.com',
    region: 'us-east-1',
    bucket: 'lake',
    accessKey: 'AK',
    secretKey: 'SK',
    prefix: '',
    format: 'ndjson',
    seconds: 300,
    ca: '',
  })
})

test('a stored rule comes back as it was, with the mask of its secret', () => {
  const rule = {
    name: '入库',
    desc: '说明',
    sources: ['event', 'alarm'],
    filter: { ...forwardFilter.parse({}), groupIDs: [3], tags: [{ key: '城市', value: '' }] },
    form: 'script',
    script: 'function forward() {}',
    target: {
      type: 'amqp',
      url: 'amqp://mq',
      username: 'u',
      password: secretMask,
      exchange: '',
      routingKey: 'k',
      ca: '',
    },
    lagSeconds: 30,
    channelIDs: [4],
  } as unknown as ForwardRule
  expect(bodyOf(checked(formOf(rule)))).toEqual(rule)
})

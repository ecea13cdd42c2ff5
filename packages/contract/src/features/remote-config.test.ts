import { expect, test } from 'vitest'
import {
  configBytes,
  configContent,
  createConfig,
  listConfigPushes,
  maxConfigBytes,
  PushState,
  PushStatus,
  pushConfig,
  pushStateLabels,
  pushStatusLabels,
} from './remote-config.ts'

const productID = 'abcdefghijk'

test('bytes are counted in UTF-8', () => {
  expect(configBytes('{"a":"字😀"}')).toBe(15)
})

test('a configuration is a JSON object of at most 64 KB and stays as it is written', () => {
  const largest = `{"a":"${'x'.repeat(maxConfigBytes - 8)}"}`
  expect(configBytes(largest)).toBe(maxConfigBytes)
  expect(configContent.parse(largest)).toBe(largest)
  expect(configContent.parse(' { "a" : 1.0 }\n')).toBe(' { "a" : 1.0 }\n')
  expect(configContent.safeParse(`${largest} `).success).toBe(false)
  // Few characters, many bytes.
  expect(configContent.safeParse(`{"a":"${'字'.repeat(22_000)}"}`).success).toBe(false)
})

test.each(['', 'null', '1', '"a"', '[]', '{', "{'a':1}"])('%j is no configuration', (content) => {
  expect(configContent.safeParse(content).success).toBe(false)
})

test('http-api.md 3.4: product and content suffice', () => {
  expect(createConfig.body.parse({ productID, content: '{}' })).toEqual({ productID, content: '{}', note: '' })
})

test('a push names devices, a group, or neither', () => {
  const defaults = { includeChildren: true, rate: 600 }
  expect(pushConfig.body.parse({ productID })).toEqual({ productID, ...defaults })
  expect(pushConfig.body.parse({ productID, groupID: '12' })).toEqual({ productID, groupID: 12, ...defaults })
  expect(pushConfig.body.parse({ productID, groupID: '' })).toEqual({ productID, ...defaults })
  expect(pushConfig.body.safeParse({ productID, groupID: 1, deviceNames: ['a'] }).success).toBe(false)
  expect(pushConfig.body.safeParse({ productID, deviceNames: Array(10_001).fill('a') }).success).toBe(false)
  expect(pushConfig.body.safeParse({ productID, rate: 0 }).success).toBe(false)
})

test('a status of 0 or "" is no filter', () => {
  for (const status of [0, '']) expect(listConfigPushes.body.parse({ productID, status }).status).toBeUndefined()
})

test('every state and status has its word', () => {
  for (const state of Object.values(PushState)) expect(pushStateLabels[state]).toMatch(/\p{Script=Han}/u)
  for (const status of Object.values(PushStatus)) expect(pushStatusLabels[status]).toMatch(/\p{Script=Han}/u)
})

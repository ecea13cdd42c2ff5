import { expect, test } from 'vitest'
import { changeText, sceneCounters } from './scene-counters.ts'

test('the change is against the day before, and nothing without one', () => {
  expect(changeText(106, 100)).toBe('较前一日 +6%')
  expect(changeText(50, 100)).toBe('较前一日 -50%')
  expect(changeText(5, 0)).toBe('')
})

const count = {
  total: 86,
  enabled: 71,
  fired: 1204,
  firedBefore: 1136,
  failed: 6,
  failedScenes: 2,
  actionP99: 37.6,
}
const by = (key: string, given: typeof count | undefined) => sceneCounters(given).find((one) => one.key === key)

test('failures say how many scenes are concerned; without any there is no alarm colour', () => {
  expect(by('failed', count)).toMatchObject({ value: 6, tone: 'error', hint: '涉及 2 个场景' })
  expect(by('failed', { ...count, failed: 0 })?.tone).toBeUndefined()
})

test('no run in a day is no figure, not minus one', () => {
  expect(by('p99', count)?.value).toBe(38)
  expect(by('p99', { ...count, actionP99: -1 })).toMatchObject({ value: undefined, hint: '近 24 小时没有执行' })
})

test('before the answer is there nothing is claimed', () => {
  expect(sceneCounters(undefined).map(({ value }) => value)).toEqual(Array(5).fill(undefined))
})

import { sceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { expect, test } from 'vitest'
import { modeOf, moveStep, removeStep, setMode, setParallel, stepNumbers } from './action-list.ts'
import type { ActionItem } from './draft.ts'
import { kindOf, newStep, stepKinds } from './step-kinds.ts'

const start = { productID: 'p1', byDevice: true }
const steps = (...flags: boolean[]): ActionItem[] =>
  flags.map((parallel, index) => {
    const { part } = newStep('delay', start)
    return { key: String(index), part: parallel ? { ...part, parallel: true } : part }
  })
const keys = (list: readonly ActionItem[]) => list.map(({ key }) => key).join('')

test('a step moves to any place, and out of range nowhere', () => {
  const list = steps(false, false, false)
  expect(keys(moveStep(list, 0, 2))).toBe('120')
  expect(keys(moveStep(list, 2, 0))).toBe('201')
  expect(keys(moveStep(list, 0, 3))).toBe('012')
  expect(keys(moveStep(list, 5, 0))).toBe('012')
})

test('the first step starts with nothing before it', () => {
  const list = steps(false, true)
  expect(moveStep(list, 1, 0)[0]?.part.parallel).toBeUndefined()
  expect(removeStep(list, '0')[0]?.part.parallel).toBeUndefined()
  expect(setParallel(list, '0', true)[0]?.part.parallel).toBeUndefined()
})

test('steps that start together share a number', () => {
  expect(stepNumbers(steps(false, true, false, true, true))).toEqual([1, 1, 2, 2, 2])
})

test('the switch for all steps knows a mixture', () => {
  expect(modeOf(steps(false))).toBe('serial')
  expect(modeOf(steps(false, true, true))).toBe('parallel')
  expect(modeOf(steps(false, true, false))).toBe('mixed')
  expect(modeOf(setMode(steps(false, true, false), 'parallel'))).toBe('parallel')
  expect(setMode(steps(false, true), 'serial').map(({ part }) => part.parallel)).toEqual([undefined, undefined])
})

test.each(stepKinds)('a new step keeps its kind on the wire: %s', (kind) => {
  const { part } = newStep(kind, start)
  expect(kindOf(part)).toBe(kind)
  const complete = {
    ...part,
    ...(kind === 'notify' && { notify: { channelIDs: [1] } }),
    ...(kind === 'scene' && { scene: { sceneID: 1 } }),
  }
  expect(kindOf(sceneAction.parse(complete))).toBe(kind)
})

test('without a triggering device a new output asks for devices', () => {
  expect(newStep('device', { productID: '', byDevice: false }).part.device?.selector).toBe('fixed')
})

import { expect, test } from 'vitest'
import { nextStep, type StepFacts, stepsOf } from './steps.ts'

const nothing: StepFacts = {
  product: false,
  model: false,
  device: false,
  connected: false,
  value: false,
  productID: '',
  deviceName: '',
  demo: false,
}

test('each step leads to where it is done, once the one before it has made the place', () => {
  expect(stepsOf(nothing).map(({ to }) => to)).toEqual([
    '/deviceMangers/product/index',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  const begun = { ...nothing, product: true, productID: 'P0000000001' }
  expect(stepsOf(begun)[1]?.to).toBe('/deviceMangers/product/detail/P0000000001?tab=model')
  expect(stepsOf(begun)[2]?.to).toBe('/deviceMangers/device/index?productID=P0000000001')
  expect(stepsOf(begun)[3]?.to).toBeUndefined()
  const made = { ...begun, model: true, device: true, deviceName: 'pump:1' }
  expect(
    stepsOf(made)
      .map(({ to }) => to)
      .slice(3),
  ).toEqual([
    '/deviceMangers/device/detail/P0000000001/pump%3A1/8',
    '/deviceMangers/device/detail/P0000000001/pump%3A1/9',
  ])
})

test('the next step is the first that has not happened, whatever happened after it', () => {
  expect(nextStep(stepsOf(nothing))?.key).toBe('product')
  expect(nextStep(stepsOf({ ...nothing, product: true, device: true }))?.key).toBe('model')
  const all = { ...nothing, product: true, model: true, device: true, connected: true, value: true }
  expect(nextStep(stepsOf(all))).toBeUndefined()
})

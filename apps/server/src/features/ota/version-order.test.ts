import { expect, test } from 'vitest'
import { versionOrder } from './version-order.ts'

test.each([
  ['1.0.0', '1.0.0', 'same'],
  ['1.0', '1.0.0', 'same'],
  ['v1.0.1', '1.0.1', 'same'],
  ['1.0.9', '1.0.10', 'lower'],
  ['1.10.0', '1.9.9', 'higher'],
  ['1.2.3.4', '1.2.3.3', 'higher'],
  ['1.2.3-beta', '1.2.3', 'lower'],
  ['1.2-beta', '1.2', 'lower'],
  ['1.2-beta.2', '1.2.0-beta.10', 'lower'],
  ['2.0.0-rc', '1.9.9', 'higher'],
  ['factory', '1.0.0', 'unknown'],
  ['', '1.0.0', 'unknown'],
  ['1.x.0', '1.2.0', 'unknown'],
  ['factory', 'factory', 'same'],
] as const)('%s against %s is %s', (version, target, order) => {
  expect(versionOrder(version, target)).toBe(order)
})

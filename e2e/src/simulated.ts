/** Virtual devices of the simulator beside the browser: they report, obey, take firmware and configurations by themselves. */
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { readTsl } from '@ithings/contract/features/thing-model.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, vi } from 'vitest'
import type { SimulateOptions } from '../../apps/simulator/src/options.ts'
import { type SimulatedDevice, simulateDevice } from '../../apps/simulator/src/simulate-device.ts'
import type { Caller } from './api.ts'
import type { DeviceKey } from './device.ts'
import type { Platform } from './platform.ts'
import { patience } from './visit.ts'

export type { SimulatedDevice }

/** Connected when it resolves; says nothing by itself unless told so. */
export async function simulate(
  platform: Platform,
  call: Caller,
  key: DeviceKey,
  options: SimulateOptions = {},
): Promise<SimulatedDevice> {
  const [{ secret }, { tsl }] = await Promise.all([call(readDevice, key), call(readTsl, { productID: key.productID })])
  const device = simulateDevice({
    url: platform.mqttUrl,
    device: { ...key, secret },
    model: readTslText(tsl).model,
    options: { intervalMs: 0, eventEveryMs: 0, reconnectMs: 100, ...options },
  })
  await vi.waitFor(() => expect(device.connected).toBe(true), { timeout: patience })
  return device
}

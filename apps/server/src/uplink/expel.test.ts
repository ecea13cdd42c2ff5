/** Who may stay is asked for again after a gap in the notices: once for each session, and not while nobody can answer. */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import type { CachedDevice, DeviceCache } from '#features/devices/door.ts'
import type { Session } from '#ports/broker.ts'
import type { Signal } from '#ports/signal.ts'
import { expelDevices } from './expel.ts'

const known = (deviceName: string, isEnable = 1) =>
  ({ deviceID: Number(deviceName.slice(1)), isEnable, secrets: {} }) as CachedDevice

/** 140 devices have come in and may stay. */
async function openDoor() {
  let answer = async (deviceName: string) => known(deviceName)
  let gap: (() => void) | undefined
  const asked: string[] = []
  const warnings: unknown[] = []
  const kicked: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) })
  const signal = {
    connected: true,
    on: () => undefined,
    onGap: (listener: () => void) => {
      gap = listener
    },
  } as unknown as Signal
  const devices = {
    get: (_: string, deviceName: string) => {
      asked.push(deviceName)
      return answer(deviceName)
    },
  } as unknown as DeviceCache
  const expel = expelDevices({
    ...{ signal, devices, log },
    bus: makeMemoryBus(() => undefined),
    broker: { kick: async (_, deviceName) => void kicked.push(deviceName) },
    presence: { offline: () => undefined },
    clock: { now: () => 0 },
  })
  for (let i = 0; i < 140; i++) {
    const device = { productID: 'p', deviceName: `d${i}`, deviceID: i }
    expel.connected({ device } as Session)
  }
  await expect.poll(() => asked).toHaveLength(140)
  asked.length = 0
  const deafWith = async (next: typeof answer, enabled: number[]) => {
    Object.assign(signal, { connected: false })
    answer = next
    Object.assign(devices, { enabledAmong: async () => new Set(enabled) })
    await expel.lookWhileDeaf()
  }
  const gapWith = (next: typeof answer) => {
    answer = next
    gap?.()
  }
  return { gapWith, deafWith, asked, warnings, kicked }
}

test('while the database is away the first question that fails is the last, and one line of the log', async () => {
  const { gapWith, asked, warnings } = await openDoor()
  for (let tries = 0; tries < 10; tries++) gapWith(() => Promise.reject(new Error('the database is away')))
  await expect.poll(() => warnings).toHaveLength(10)
  expect(asked).toHaveLength(10)
})

test('when it answers again everybody is judged once', async () => {
  const { gapWith, asked, kicked } = await openDoor()
  gapWith(async (deviceName) => known(deviceName, deviceName === 'd7' ? 2 : 1))
  await expect.poll(() => asked).toHaveLength(140)
  expect(kicked).toEqual(['d7'])
})

test('while no notice arrives only those are asked for that the database does not name', async () => {
  const { deafWith, asked, kicked } = await openDoor()
  const others = Array.from({ length: 140 }, (_, i) => i).filter((i) => i !== 7 && i !== 9)
  await deafWith(async (deviceName) => known(deviceName, deviceName === 'd7' ? 2 : 1), others)
  expect(asked).toEqual(['d7', 'd9'])
  expect(kicked).toEqual(['d7'])
})

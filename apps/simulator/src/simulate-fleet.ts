/** Many virtual devices in one process: connected at a pace the platform can take, counted together. */
import { type Counts, noCounts } from './options.ts'
import { makeScheduler } from './scheduler.ts'
import { type SimulatedDevice, type SimulateParts, simulateDevice } from './simulate-device.ts'

export interface FleetParts {
  members: readonly SimulateParts[]
  connectsPerSecond?: number
}

export interface Fleet {
  readonly devices: readonly SimulatedDevice[]
  readonly connected: number
  counts(): Counts
  stop(): Promise<void>
}

const usualPace = 200
const tick = 20
/** Goodbyes at the same time. */
const stopTogether = 200

export function simulateFleet({ members, connectsPerSecond = usualPace }: FleetParts): Fleet {
  const scheduler = makeScheduler()
  const devices: SimulatedDevice[] = []
  let due = 0
  let cancel: (() => void) | undefined

  function startSome(): void {
    due += (connectsPerSecond * tick) / 1000
    for (; due >= 1 && devices.length < members.length; due--) {
      const member = members[devices.length] as SimulateParts
      devices.push(simulateDevice({ ...member, options: { scheduler, ...member.options } }))
    }
    cancel = devices.length < members.length ? scheduler.after(tick, startSome) : undefined
  }
  startSome()

  return {
    devices,
    get connected() {
      return devices.reduce((sum, { connected }) => sum + (connected ? 1 : 0), 0)
    },
    counts() {
      const total = noCounts()
      for (const { counts } of devices) {
        for (const key of Object.keys(total) as Array<keyof Counts>) total[key] += counts[key]
      }
      return total
    },
    async stop() {
      cancel?.()
      for (let i = 0; i < devices.length; i += stopTogether) {
        await Promise.all(devices.slice(i, i + stopTogether).map((device) => device.stop()))
      }
    },
  }
}

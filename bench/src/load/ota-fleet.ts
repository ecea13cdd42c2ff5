/** Starts the process of the devices that take firmware, and asks it what they saw. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { endProcess, root, stationClient } from '../platform.ts'
import type { FleetAnswer, FleetOrders, PushSeen } from './ota-devices.ts'

export type { PushSeen }

export interface OtaFleet {
  pushes(version: string): Promise<PushSeen[]>
  stop(): Promise<void>
}

export interface FleetWish {
  port: number
  productID: string
  devices: number
  version: string
  /** Devices of each ten that fail at a version. */
  failing: Record<string, number>
  upgradeMs: number
}

/** Resolves when all are connected and have told their version. */
export async function startOtaFleet({ devices, ...wish }: FleetWish): Promise<OtaFleet> {
  const child = fork(join(root, 'bench/src/load/ota-devices.ts'))
  const ask = async (order: { begin: FleetOrders } | { tell: 'pushes' }): Promise<FleetAnswer> => {
    child.send(order)
    const [said] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => {
        throw new Error('the process of the devices ended')
      }),
    ])
    return said as FleetAnswer
  }
  const clients = Array.from({ length: devices }, (_, i) => ({
    ...stationClient(wish.productID, i),
    deviceName: `d${i}`,
  }))
  await ask({ begin: { ...wish, clients } })
  return {
    async pushes(version) {
      const said = await ask({ tell: 'pushes' })
      return 'pushes' in said ? said.pushes.filter((push) => push.version === version) : []
    },
    stop: () => endProcess(child),
  }
}

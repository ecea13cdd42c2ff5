/** Leaving a cell without anybody noticing: the balancer hears of it, then the devices go to other servers one by one. */
import { setTimeout as rest } from 'node:timers/promises'
import type { DeviceStack } from './device-stack.ts'

/** Until a balancer that asks every second or two has noticed. */
const noticeMs = 5_000

export interface Drain {
  run(): Promise<void>
  isUnderWay(): boolean
}

export function makeDrain({ presence, broker }: Pick<DeviceStack, 'presence' | 'broker'>, seconds: number): Drain {
  let underWay = false
  return {
    async run() {
      if (seconds === 0 || !(await presence.handOver())) return
      underWay = true
      const wait = Math.min(noticeMs, (seconds * 1000) / 3)
      await rest(wait)
      await broker.drain(seconds * 1000 - wait)
    },
    isUnderWay: () => underWay,
  }
}

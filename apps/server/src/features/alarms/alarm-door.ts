import { Gauge, type Registry } from 'prom-client'
import type { AlarmDoor, RaisingRun } from '#features/scenes/door.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
import { clearAlarms } from './clear-alarm.ts'
import { type KeyedQueue, makeKeyedQueue } from './keyed-queue.ts'
import { raiseAlarms } from './raise-alarm.ts'

const limits = { atOnce: 4, maxWaiting: 10_000 }

function installMetrics(metrics: Registry, turns: KeyedQueue): void {
  new Gauge({
    name: 'ithings_alarms',
    help: 'Raising and clearing of alarms: waiting, working, done, refused because too many wait',
    labelNames: ['what'],
    registers: [metrics],
    collect() {
      for (const [what, count] of Object.entries(turns.counts())) this.set({ what }, count)
    },
  })
}

const keyOf = ({ device }: RaisingRun): string => (device ? `${device.productID}/${device.deviceName}` : '')

/** What scenes ask of alarms. */
export function makeAlarmDoor(deps: AlarmsDeps, metrics: Registry): AlarmDoor {
  const turns = makeKeyedQueue(limits)
  installMetrics(metrics, turns)
  return {
    raise: (run) => turns.run(keyOf(run), () => raiseAlarms(deps, run)),
    clear: (run) => turns.run(keyOf(run), () => clearAlarms(deps, run)),
  }
}

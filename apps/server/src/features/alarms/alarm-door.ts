import type { Registry } from 'prom-client'
import { showCounts } from '#background/gauges.ts'
import type { AlarmDoor, RaisingRun } from '#features/scenes/door.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
import { clearAlarms } from './clear-alarm.ts'
import { makeKeyedQueue } from './keyed-queue.ts'
import { raiseAlarms } from './raise-alarm.ts'

const limits = { atOnce: 4, maxWaiting: 10_000 }

const keyOf = ({ device }: RaisingRun): string => (device ? `${device.productID}/${device.deviceName}` : '')

/** What scenes ask of alarms. */
export function makeAlarmDoor(deps: AlarmsDeps, metrics: Registry): AlarmDoor {
  const turns = makeKeyedQueue(limits)
  const help = 'Raising and clearing of alarms: waiting, working, done, refused because too many wait'
  showCounts(metrics, 'ithings_alarms', help, turns.counts)
  return {
    raise: (run) => turns.run(keyOf(run), () => raiseAlarms(deps, run)),
    clear: (run) => turns.run(keyOf(run), () => clearAlarms(deps, run)),
  }
}

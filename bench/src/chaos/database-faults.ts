/** What can happen to the two databases. */
import { setTimeout as rest } from 'node:timers/promises'
import type { TwoDatabases } from '../../../apps/server/src/testing/two-databases.ts'
import { type Fault, longHangMs } from './fault.ts'

/** As Patroni does it when the primary is gone: the other one takes over, later the first one follows it. */
const primaryEnds = (
  names: Pick<Fault, 'row' | 'name' | 'inSmall' | 'on'>,
  end: (databases: TwoDatabases) => Promise<void>,
  goneMs: number,
): Fault => ({
  ...names,
  async happen({ cell: { databases } }) {
    await end(databases)
    await rest(3_000)
    await databases.promote()
    await rest(goneMs)
    await databases.followAgain()
    return undefined
  },
})

export const databaseFaults: Fault[] = [
  {
    row: 'disk-standby',
    name: 'the disk of the standby is full, it ends and is started again',
    on: 'linux',
    // Nothing is acknowledged meanwhile: it would be on one machine only.
    async happen({ cell: { databases } }) {
      await databases.fillStandby()
      await databases.startStandby()
      return undefined
    },
  },
  primaryEnds(
    { row: 'quit-primary', name: 'the primary ends at once (SIGQUIT), the standby takes over' },
    (databases) => databases.killPrimary(),
    0,
  ),
  primaryEnds(
    { row: 'kill-primary', name: 'kill -9 of the primary, the standby takes over', inSmall: true },
    (databases) => databases.killPrimary('SIGKILL'),
    0,
  ),
  primaryEnds(
    { row: 'hang-primary', name: 'the primary hangs, the standby takes over', on: 'linux' },
    (databases) => databases.hangPrimary(),
    // Whoever is held by its open connections until it is ended is late.
    longHangMs,
  ),
]

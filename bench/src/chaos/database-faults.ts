/** What can happen to the two databases. */
import { setTimeout as rest } from 'node:timers/promises'
import type { TwoDatabases } from '../../../apps/server/src/testing/two-databases.ts'
import { openSession } from '../platform.ts'
import type { Cell } from './cell.ts'
import { type Fault, longHangMs } from './fault.ts'

type Names = Pick<Fault, 'row' | 'name' | 'inSmall' | 'on'>

/** As Patroni does it when the primary is gone: the other one takes over, later the first one follows it. */
const primaryEnds = (
  names: Names,
  end: (databases: TwoDatabases) => Promise<void>,
  meanwhile: (cell: Cell) => Promise<string | undefined> = async () => undefined,
): Fault => ({
  ...names,
  async happen({ cell }) {
    const { databases } = cell
    await end(databases)
    await rest(3_000)
    await databases.promote()
    const note = await meanwhile(cell)
    await databases.followAgain()
    return note
  },
})

/** While the open connections to the old primary are silent, and nobody ends them but the servers themselves. */
async function allServe(cell: Cell): Promise<string> {
  const begun = performance.now()
  await cell.allReady()
  // It reads and writes through connections that people's calls use.
  await Promise.all(cell.servers.map(({ origin }) => openSession(origin)))
  return `all servers served people ${Math.round((performance.now() - begun) / 1_000)} s after the promotion`
}

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
  ),
  primaryEnds(
    { row: 'kill-primary', name: 'kill -9 of the primary, the standby takes over', inSmall: true },
    (databases) => databases.killPrimary('SIGKILL'),
  ),
  primaryEnds(
    { row: 'hang-primary', name: 'the primary hangs, the standby takes over', on: 'linux' },
    (databases) => databases.hangPrimary(),
    async (cell) => {
      const [note] = await Promise.all([allServe(cell), rest(longHangMs)])
      return note
    },
  ),
]

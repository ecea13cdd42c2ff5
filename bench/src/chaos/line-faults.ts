/** Lines that fall silent without a reset, as when a cable is pulled. */
import { setTimeout as rest } from 'node:timers/promises'
import { type Fault, longHangMs, type Stage } from './fault.ts'
import type { LineName } from './lines.ts'

const backMs = 15_000
/** Longer than a message may wait for its commit. */
const standbyAwayMs = 10_000

async function silence({ cell: { lines } }: Stage, name: LineName, ms: number): Promise<void> {
  lines.hold(name)
  await rest(ms)
}

const lastServer = (name: LineName, other: string): Fault => ({
  row: `line-${name}`,
  name: `the line between server 3 and ${other} is silent for 20 s`,
  strikes: 2,
  async happen(stage) {
    await silence(stage, name, longHangMs)
    stage.cell.lines.goOn(name)
    return undefined
  },
})

export const lineFaults: Fault[] = [
  lastServer('database', 'the database'),
  lastServer('nats', 'NATS'),
  lastServer('balancer', 'HAProxy'),
  {
    row: 'line-standby',
    name: 'the line between primary and standby is silent for 10 s',
    inSmall: true,
    // Back so soon after the line is: until then nobody may be told that a message is on two machines.
    awayMs: standbyAwayMs + backMs,
    async happen(stage) {
      const heldAt = Date.now()
      await silence(stage, 'standby', standbyAwayMs)
      // A report has the time at which it was sent.
      const told = stage.life.reporters.flatMap((one) => one.acknowledged.filter((time) => time > heldAt))
      stage.cell.lines.goOn('standby')
      if (told.length > 0) throw new Error(`${told.length} messages were acknowledged that are on one machine only`)
      return 'nothing was acknowledged meanwhile'
    },
  },
]

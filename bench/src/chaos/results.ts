/** What came of each failure and of each goal: printed, and kept in bench/results/chaos.json as far as the run has come. */
import { mkdir, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { machineText, readMachine } from '../machine.ts'
import { root } from '../platform.ts'
import type { Sent } from './commands.ts'

export interface Line {
  row: string
  what: string
  /** The longest time that a device was without an acknowledgement, and how long it may be. */
  longestGapMs?: number
  goalMs?: number
  /** Those that were answered. */
  commands: number
  failed: number
  /** Of fewer than 100 commands the slowest. */
  p99Ms?: number
  /** How often each was given. */
  refusals?: Record<string, number>
  /** What else it has shown. */
  note?: string
}

export interface Goal {
  goal: string
  limit: string
  figure: string | number
  reached: boolean
}

const percentile = (times: readonly number[], part: number): number | undefined => {
  const at = times.toSorted((a, b) => a - b)[Math.floor(times.length * part)]
  return at === undefined ? undefined : Math.round(at)
}

/** A line's part on commands. */
export const commandFigures = ({ times, failures }: Sent) => ({
  commands: times.length,
  failed: failures.length,
  p99Ms: percentile(times, 0.99),
  ...(failures.length > 0 && { refusals: countEach(failures) }),
})

const countEach = (texts: string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, alike]) => [text, alike.length]))

export const medianOf = (times: readonly number[]): number => percentile(times, 0.5) ?? 0

const yesNo = (reached: boolean): string => (reached ? 'reached' : 'not reached')

export const reachedBy = ({ longestGapMs, goalMs }: Line): boolean => (longestGapMs ?? 0) <= (goalMs ?? Infinity)

export interface Results {
  add(line: Line): Promise<Line>
  /** @returns whether it is reached */
  judge(goal: Goal): Promise<boolean>
  print(): void
}

/** @param keep not in `npm test`, which says nothing on how long things take */
export async function openResults(keep: boolean): Promise<Results> {
  const begun = new Date().toISOString()
  const machine = keep ? machineText(await readMachine()) : ''
  const lines: (Line & { load: number })[] = []
  const goals: Goal[] = []
  const write = async () => {
    if (!keep) return
    const folder = join(root, 'bench/results')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'chaos.json'), JSON.stringify({ begun, machine, lines, goals }, null, 2))
  }
  return {
    async add(line) {
      lines.push({ ...line, load: Math.round(loadavg()[0] ?? 0) })
      await write()
      return line
    },
    async judge(goal) {
      goals.push(goal)
      await write()
      return goal.reached
    },
    print() {
      if (!keep) return
      const ms = (value?: number) => (value === undefined ? '' : Math.round(value))
      console.log(`${begun}, ${machine}`)
      console.table(
        lines.map((line) => ({
          row: line.row,
          'longest gap ms': ms(line.longestGapMs),
          'goal ms': ms(line.goalMs),
          reached: line.goalMs === undefined ? '' : yesNo(reachedBy(line)),
          commands: line.commands,
          failed: line.failed,
          'p99 ms': ms(line.p99Ms),
          load: line.load,
          note: line.note ?? '',
        })),
      )
      for (const { row, refusals } of lines) if (refusals) console.log(row, refusals)
      console.table(goals.map(({ reached, ...goal }) => ({ ...goal, reached: yesNo(reached) })))
    },
  }
}

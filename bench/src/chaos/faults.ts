/** What can happen to a cell, one at a time, in the order of a whole run. */
import { databaseFaults } from './database-faults.ts'
import type { Fault } from './fault.ts'
import { lineFaults } from './line-faults.ts'
import { serverFaults } from './server-faults.ts'

export const faults: Fault[] = [...serverFaults, ...lineFaults, ...databaseFaults]

/** Rows of a run that are no failures. */
export const otherRows = ['calm', 'disabled', 'upgrade'] as const

/** @param asked as the command line has it: none, or those that are wanted */
export function readRows(asked: string): Set<string> {
  const there = [...otherRows, ...faults.map(({ row }) => row)]
  const wanted = asked.split(' ').filter(Boolean)
  const unknown = wanted.filter((row) => !there.includes(row))
  if (unknown.length > 0) throw new Error(`no such row: ${unknown.join(', ')}; there are ${there.join(', ')}`)
  return new Set(wanted.length > 0 ? wanted : there)
}

import type { Cell, CellServer } from './cell.ts'
import type { Life } from './life.ts'

export interface Stage {
  cell: Cell
  life: Life
}

export interface Fault {
  /** As npm run chaos takes it. */
  row: string
  name: string
  /** Also in the small size. */
  inSmall?: boolean
  /** Only there. */
  on?: NodeJS.Platform
  /** The server that is concerned, from 0: it must have devices. */
  strikes?: number
  /** How long a device may be without an acknowledgement; without it 15 s. */
  awayMs?: number
  /** Afterwards the cell is whole again. @returns what else it has shown */
  happen(stage: Stage): Promise<string | undefined>
}

/** Longer than the three beats after which a server is taken for dead. */
export const longHangMs = 20_000

export const serverOf = ({ servers }: Cell, number: number): CellServer => {
  const server = servers[number]
  if (!server) throw new Error(`there is no server ${number}`)
  return server
}

import type pg from 'pg'
import { prepared } from '#ports/prepared-statements.ts'

const deadlock = '40P01'

export type Query = <Row extends pg.QueryResultRow>(statement: string, values?: unknown[]) => Promise<Row[]>

/** Once more when two statements waited for each other, which the database ends by giving one of them up. */
export const makeQuery =
  (pool: pg.Pool): Query =>
  async <Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []) => {
    const ask = () => pool.query<Row>(prepared(statement), values)
    const { rows } = await ask().catch((error: { code?: string }) => {
      if (error.code !== deadlock) throw error
      return ask()
    })
    return rows
  }

export const ids = (list: Array<{ deviceID: number }>) => list.map(({ deviceID }) => deviceID)
export const epochs = (list: Array<{ epoch: number | null | undefined }>) => list.map(({ epoch }) => epoch ?? null)

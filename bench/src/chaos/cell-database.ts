import type pg from 'pg'
import { DatabaseClient } from '../../../apps/server/src/ports/database-client.ts'
import type { Cell } from './cell.ts'

/** As the servers do: whichever host takes writes. */
export async function openDatabase(cell: Cell): Promise<pg.Client> {
  const client = new DatabaseClient({ connectionString: cell.databases.url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

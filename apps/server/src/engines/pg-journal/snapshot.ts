import type pg from 'pg'

/** Packed and hot parts of one moment: packing goes on meanwhile. */
export async function inSnapshot<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(`begin isolation level repeatable read read only; set local statement_timeout = '20s'`)
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (cause: Error) => client.release(cause),
    )
    throw error
  }
}

/** Databases of walks: clones of one in which the platform has been started before. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The same server, another database. By text: an address with a socket has no host, which URL does not accept. */
export const databaseAt = (url: string, name: string): string => url.replace(/^(\w+:\/\/[^/?]*)\/[^?]*/, `$1/${name}`)

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

export const createDatabase = (url: string, name: string, template = 'template0'): Promise<void> =>
  query(url, `create database ${name} template ${template}`)

export async function cloneDatabase({ databaseUrl, template }: { databaseUrl: string; template: string }) {
  const name = `walk_${randomBytes(6).toString('hex')}`
  await createDatabase(databaseUrl, name, template)
  return {
    url: databaseAt(databaseUrl, name),
    drop: () => query(databaseUrl, `drop database if exists ${name} with (force)`),
  }
}
export type Clone = Awaited<ReturnType<typeof cloneDatabase>>

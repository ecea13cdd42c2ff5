import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { admitProgram, programUrl } from '#engines/embedded-pg/roles.ts'

export const uniqueName = (kind: string): string => `test_${kind}_${randomBytes(6).toString('hex')}`

export async function adminQuery(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** The same server, another database. By text: an address with a socket has no host, which URL does not accept. */
export const databaseAt = (url: string, name: string): string => url.replace(/^(\w+:\/\/[^/?]*)\/[^?]*/, `$1/${name}`)

export interface ScratchDatabase {
  name: string
  /** As the program has it: of the embedded server as the program's role. */
  url: string
  /** As who made it. */
  adminUrl: string
  drop(): Promise<void>
}

/** A database of its own for one test file, copied from the migrated template. */
export async function makeScratchDatabase(serverUrl: string, template?: string): Promise<ScratchDatabase> {
  const name = uniqueName('db')
  // Copying the files of a template costs half of what copying its pages through the log does.
  await adminQuery(serverUrl, `create database ${name} strategy file_copy${template ? ` template ${template}` : ''}`)
  const adminUrl = databaseAt(serverUrl, name)
  const url = programUrl(adminUrl)
  if (url !== adminUrl) await admitProgram(adminUrl)
  return { name, url, adminUrl, drop: () => adminQuery(serverUrl, `drop database if exists ${name} with (force)`) }
}

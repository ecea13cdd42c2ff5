/** The database of a platform; an embedded one is found by the files PostgreSQL and the server leave in the data folder. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Platform } from './platform.ts'

async function homeOf({ dataDir }: Platform): Promise<string> {
  const inside = join(dataDir, 'postgres')
  const there = await stat(join(inside, 'cluster')).catch(() => undefined)
  return there ? inside : (await readFile(join(dataDir, 'postgres.location'), 'utf8')).trim()
}

/** Lines of postmaster.pid: process, data folder, start, port, socket folder, address. */
async function postmasterLines(platform: Platform): Promise<string[]> {
  const text = await readFile(join(await homeOf(platform), 'cluster', 'postmaster.pid'), 'utf8')
  return text.split('\n').map((line) => line.trim())
}

export async function databasePid(platform: Platform): Promise<number> {
  return Number((await postmasterLines(platform))[0])
}

async function embeddedAddress(platform: Platform): Promise<pg.ClientConfig> {
  const [, , , port, socketDir, address] = await postmasterLines(platform)
  return {
    user: 'ithings',
    database: 'ithings',
    password: await readFile(join(await homeOf(platform), 'password'), 'utf8'),
    host: address || socketDir,
    port: Number(port),
  }
}

export async function openDatabase(platform: Platform): Promise<pg.Client> {
  const { databaseUrl } = platform
  const client = new pg.Client(databaseUrl ? { connectionString: databaseUrl } : await embeddedAddress(platform))
  await client.connect()
  return client
}

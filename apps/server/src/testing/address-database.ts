/**
 * vitest globalSetup: a database that is given by its address, for the tests that depend on how it is reached:
 * DATABASE_URL when set, else a scratch cluster on loopback TCP. One role owns everything there, as with DATABASE_URL.
 */
import type { TestProject } from 'vitest/node'
import { type DatabaseServer, provideDatabase, scratchServer } from './provide-database.ts'
import { adminQuery } from './scratch-database.ts'

const given = process.env.DATABASE_URL

async function ownerOfAll(): Promise<DatabaseServer> {
  const server = await scratchServer({ tcp: true })
  await adminQuery(server.url, `create role tester superuser login password 'tester'`)
  return { ...server, url: server.url.replace(/\/\/[^@]*@/, '//tester:tester@') }
}

export default async (project: TestProject) =>
  provideDatabase(project, given ? { url: given, stop: async () => {} } : await ownerOfAll())

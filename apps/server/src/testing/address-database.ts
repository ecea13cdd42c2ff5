/**
 * vitest globalSetup: a database that is given by its address, for the tests that depend on how it is reached:
 * DATABASE_URL when set, else a scratch cluster on loopback TCP.
 */
import type { TestProject } from 'vitest/node'
import { provideDatabase, scratchServer } from './provide-database.ts'

const given = process.env.DATABASE_URL

export default async (project: TestProject) =>
  provideDatabase(project, given ? { url: given, stop: async () => {} } : await scratchServer({ tcp: true }))

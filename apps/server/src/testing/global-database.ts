/** vitest globalSetup: one PostgreSQL for all room tests: DATABASE_URL when set, else a scratch embedded one. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#db/migrate.ts'
import { startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { adminQuery, databaseAt, uniqueName } from './scratch-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
    templateName: string
  }
}

async function openServer(): Promise<{ url: string; stop(): Promise<void> }> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-test-'))
  // As root, PostgreSQL runs under another account, which must be able to enter.
  await chmod(dataDir, 0o711)
  const quiet = () => {}
  const server = await startEmbeddedPostgres({
    dataDir,
    log: { info: quiet, warn: quiet },
    // Tests that are about durability make clusters of their own.
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  return {
    url: server.connectionString,
    async stop() {
      await server.stop()
      // As root the cluster may lie elsewhere (decisions.md 3).
      for (const dir of [server.where, dataDir]) await rm(dir, { recursive: true, force: true })
    },
  }
}

export default async function setup(project: TestProject) {
  const server = await openServer()
  const templateName = uniqueName('template')
  try {
    await adminQuery(server.url, `create database ${templateName}`)
    await migrate(databaseAt(server.url, templateName))
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('databaseUrl', server.url)
  project.provide('templateName', templateName)
  return async () => {
    await adminQuery(server.url, `drop database if exists ${templateName} with (force)`)
    await server.stop()
  }
}

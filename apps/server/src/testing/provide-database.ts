/** One PostgreSQL for all room tests of a project, with the templates that their databases are copied from. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PasswordType } from '@ithings/contract/features/users.ts'
import { hash } from '@node-rs/argon2'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { buildApp } from '#app/build-app.ts'
import { migrate } from '#db/migrate.ts'
import { sealAudit } from '#engines/embedded-pg/roles.ts'
import { startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { toMd5Form } from '#features/users/password.ts'
import { makeScratchDatabase, type ScratchDatabase } from './scratch-database.ts'
import { adminPassword, testConfig } from './test-config.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
    /** Migrated, and nothing else. */
    migratedTemplate: string
    /** An app was opened on it once: it has its queue, its list of APIs and its administrator. */
    openedTemplate: string
  }
}

export interface DatabaseServer {
  /** As superuser, or as who the tests were given. */
  url: string
  stop(): Promise<void>
}

/** A cluster that lives as long as the tests. */
export async function scratchServer({ tcp }: { tcp: boolean }): Promise<DatabaseServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-test-'))
  // As root, PostgreSQL runs under another account, which must be able to enter.
  await chmod(dataDir, 0o711)
  const quiet = () => {}
  const server = await startEmbeddedPostgres({
    dataDir,
    tcp,
    log: { info: quiet, warn: quiet },
    // Tests that are about durability make clusters of their own. Whatever waits for no lock would now and then meet
    // one of autovacuum. Every database that goes is looked for in all of the shared memory. Each world opens twenty
    // connections, and what a password costs is fixed when it is set.
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      autovacuum: 'off',
      shared_buffers: '64MB',
      scram_iterations: '1',
    },
  })
  return {
    url: server.adminUrl,
    async stop() {
      await server.stop()
      // As root the cluster may lie elsewhere.
      for (const dir of [server.where, dataDir]) await rm(dir, { recursive: true, force: true })
    },
  }
}

const cheapest = { memoryCost: 8, timeCost: 1, parallelism: 1 }

async function openOnce(databaseUrl: string): Promise<void> {
  const filesDir = await mkdtemp(join(tmpdir(), 'ithings-files-'))
  const app = await buildApp({ config: testConfig(filesDir), databaseUrl, log: pino({ level: 'silent' }) })
  // Every room signs in, and what it takes to check a password is written in its hash.
  const password_hash = await hash(toMd5Form(adminPassword, PasswordType.plain), cheapest)
  await app.db.updateTable('app_user').set({ password_hash }).execute()
  await app.close()
  await rm(filesDir, { recursive: true, force: true })
}

export async function provideDatabase(project: TestProject, server: DatabaseServer): Promise<() => Promise<void>> {
  const { url } = server
  const made: ScratchDatabase[] = []
  const end = async () => {
    for (const database of made) await database.drop()
    await server.stop()
  }
  const make = async (template?: string) => {
    const database = await makeScratchDatabase(url, template)
    made.push(database)
    return database
  }
  try {
    const migrated = await make()
    await migrate(migrated.url)
    if (migrated.url !== migrated.adminUrl) await sealAudit(migrated.adminUrl)
    const opened = await make(migrated.name)
    await openOnce(opened.url)
    project.provide('databaseUrl', url)
    project.provide('migratedTemplate', migrated.name)
    project.provide('openedTemplate', opened.name)
  } catch (error) {
    await end()
    throw error
  }
  return end
}

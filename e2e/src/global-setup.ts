/**
 * vitest globalSetup of the walks: what all of them share is made once. One PostgreSQL with a database in which the
 * platform has already been started, to be cloned by each walk; a place for all files; and the kit gallery, built when
 * it is first asked for.
 */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { makeScratchDatabase } from '../../apps/server/src/testing/scratch-database.ts'
import { openGalleryServer } from './kit/gallery-server.ts'
import { knownAdmin, platformEnv, root, templateKey } from './program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    walks: Commons | undefined
  }
}

export interface Commons {
  /** Address of the PostgreSQL that walks clone their databases in. */
  databaseUrl: string
  template: string
  /** Everything that walks write lies below it and goes at the end. */
  folder: string
  galleryUrl: string
}

const quiet = () => {}

/** Starts the platform once, as a check: it makes its tables, its first account and nothing else. */
async function makeTemplate(databaseUrl: string, folder: string): Promise<string> {
  const { name, url } = await makeScratchDatabase(databaseUrl)
  const env = platformEnv({
    DATA_DIR: join(folder, 'template'),
    DATABASE_URL: url,
    ...templateKey,
    ...knownAdmin,
  })
  await promisify(execFile)(process.execPath, ['apps/server/src/main.ts', '--check'], { cwd: root, env })
  return name
}

/** A run that is broken off ends without its teardown: then nothing may be left running. */
function endWithProcess(where: string, folder: string): () => void {
  const end = () => {
    try {
      process.kill(Number.parseInt(readFileSync(join(where, 'cluster', 'postmaster.pid'), 'utf8'), 10), 'SIGQUIT')
    } catch {
      // It has ended already.
    }
    for (const dir of [where, folder]) rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', end)
  return () => process.off('exit', end)
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'ithings-walks-'))
  // As root, PostgreSQL runs under another account, which must be able to enter.
  await chmod(folder, 0o711)
  const undo: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
  const tearDown = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const server = await startEmbeddedPostgres({
      dataDir: folder,
      log: { info: quiet, warn: quiet },
      // Walks that are about durability have clusters of their own. Every database that goes is looked for in all of the
      // shared memory, and none lives long enough to be vacuumed.
      settings: {
        fsync: 'off',
        full_page_writes: 'off',
        synchronous_commit: 'off',
        max_connections: '300',
        autovacuum: 'off',
        shared_buffers: '64MB',
      },
    })
    // As root the cluster may lie elsewhere.
    undo.push(() => rm(server.where, { recursive: true, force: true }))
    const forget = endWithProcess(server.where, folder)
    undo.push(async () => {
      await server.stop()
      forget()
    })
    const template = await makeTemplate(server.adminUrl, folder)
    const gallery = await openGalleryServer(folder)
    undo.push(() => gallery.close())
    project.provide('walks', {
      databaseUrl: server.adminUrl,
      template,
      folder,
      galleryUrl: gallery.url,
    })
  } catch (error) {
    await tearDown()
    throw error
  }
  return tearDown
}

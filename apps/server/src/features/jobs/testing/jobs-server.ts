/** The job mechanism of one server, with kinds of the test's choosing: real database, real queue, real files. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { connect } from '#db/connect.ts'
import { makeDiskFiles } from '#engines/disk-files/disk-files.ts'
import { makePgBossQueue } from '#engines/pg-boss-queue/pg-boss-queue.ts'
import type { Clock } from '#ports/clock.ts'
import { requeueLost } from '../housekeeping.ts'
import type { JobKind } from '../job-kinds.ts'
import type { JobsKit } from '../jobs-kit.ts'
import { runJob } from '../run-job.ts'

export interface JobsServer {
  kit: JobsKit
  close(): Promise<void>
}

export async function openJobsServer(url: string, kinds: JobKind[], clock: Clock): Promise<JobsServer> {
  const connection = connect(url, () => {})
  const folder = await mkdtemp(join(tmpdir(), 'ithings-jobs-'))
  const queue = makePgBossQueue(url, () => {})
  const kit: JobsKit = {
    db: connection.db,
    clock,
    files: makeDiskFiles(folder),
    queue,
    log: pino({ level: 'silent' }),
    kinds: new Map(kinds.map((kind) => [kind.kind, kind])),
    signLink: async (path, name) => `link:${path}:${name}`,
  }
  queue.work((delivery) => runJob(kit, delivery))
  await queue.start()
  await requeueLost(kit)
  return {
    kit,
    async close() {
      await queue.stop()
      await connection.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

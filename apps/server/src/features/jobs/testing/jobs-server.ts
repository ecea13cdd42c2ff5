/** The job mechanism of one server, with kinds of the test's choosing: real database, real files. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { makeBell } from '#background/bell.ts'
import { connect } from '#db/connect.ts'
import { makeDiskFiles } from '#engines/disk-files/disk-files.ts'
import type { Clock } from '#ports/clock.ts'
import { makeTestBackground } from '#testing/background.ts'
import type { JobKind } from '../job-kinds.ts'
import type { JobsDeps } from '../jobs-deps.ts'
import type { Lists } from '../list-export/lists.ts'
import { makeJobWork } from '../run-job.ts'

const noLists: Lists = {
  find: () => undefined,
  caller: () => Promise.reject(new Error('there are no lists')),
  check: () => Promise.reject(new Error('there are no lists')),
  ask: () => Promise.reject(new Error('there are no lists')),
}

export interface JobsServer {
  deps: JobsDeps
  /** Takes no more jobs and gives back those that it runs. */
  stop(): Promise<void>
  close(): Promise<void>
}

export async function openJobsServer(url: string, kinds: JobKind[], clock: Clock): Promise<JobsServer> {
  const connection = connect(url, () => {})
  const folder = await mkdtemp(join(tmpdir(), 'ithings-jobs-'))
  const deps: JobsDeps = {
    db: connection.db,
    clock,
    files: makeDiskFiles(folder),
    bell: makeBell(),
    background: makeTestBackground(clock),
    log: pino({ level: 'silent' }),
    kinds: new Map(kinds.map((kind) => [kind.kind, kind])),
    lists: noLists,
    signLink: async (path, name) => `link:${path}:${name}`,
  }
  const work = makeJobWork(deps)
  work.start()
  return {
    deps,
    stop: () => work.stop(),
    async close() {
      await work.stop()
      await connection.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

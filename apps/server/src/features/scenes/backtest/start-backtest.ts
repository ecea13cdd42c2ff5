/** A backtest is a job; one that is done within three seconds answers at once. */

import { setTimeout as wait } from 'node:timers/promises'
import { dayMs } from '@ithings/contract/durations.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import {
  type BacktestReport,
  backtestLimits,
  type startBacktest as endpoint,
} from '@ithings/contract/features/scenes/trial.ts'
import { parseScene, type SceneParts, sceneTexts } from '@ithings/contract/rules/scene-text.ts'
import { kept, type Phrase, phrase, sayKept } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import { type JobContext, type JobKind, type JobsDeps, startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { findScene, partsOf } from '../store.ts'
import { type BacktestDeps, runBacktest } from './run-backtest.ts'

export const backtestKind = 'sceneBacktest'
const patienceMs = 3_000
const lookMs = 30
const deadlineSeconds = 3_600
/** Storing the progress is a write: once in a while. */
const tellMs = 300

type Input = BodyOutput<typeof endpoint>

/** As it is stored with the job: texts, because they are what the contract can check again. */
interface StoredInput {
  name: string
  scene: ReturnType<typeof sceneTexts> & { triggerType: SceneParts['triggerType'] }
  saved: StoredInput['scene'] | null
  from: number
  to: number
}

const bad = (detail: Phrase, field: string) => new AppError(errors.parameter, { detail, field })

function checkRange({ timeStart, timeEnd }: Input): void {
  if (timeEnd <= timeStart) throw bad(phrase('结束时间须在开始时间之后'), 'timeEnd')
  if (timeEnd - timeStart > backtestLimits.days * dayMs)
    throw bad(phrase('回测最长 {days} 天', { days: backtestLimits.days }), 'timeEnd')
}

/** Without actions, which are not replayed and may name a webhook with its key. */
const toStored = (parts: SceneParts) => ({ triggerType: parts.triggerType, ...sceneTexts({ ...parts, actions: [] }) })

async function readScenes(db: Db, { scene, id }: Input) {
  const row = id ? await findScene(db, id) : undefined
  const stored = row && partsOf(db, row)
  if (scene) return { name: scene.name, scene: parseScene(scene), saved: stored }
  if (!row || !stored) throw bad(phrase('需要场景内容或场景编号'), 'scene')
  return { name: row.name, scene: stored, saved: undefined }
}

interface JobRow {
  status: number
  result: string
  error: string
}

/** The job as it is after a moment of patience. */
async function awaitJob(db: Db, jobID: string): Promise<JobRow | undefined> {
  const until = performance.now() + patienceMs
  for (;;) {
    const row = await db
      .selectFrom('job')
      .select(['status', 'result', 'error'])
      .where('job_id', '=', jobID)
      .executeTakeFirst()
    const open = row?.status === JobStatus.waiting || row?.status === JobStatus.running
    if (!open || performance.now() > until) return row
    await wait(lookMs)
  }
}

export async function startBacktest(deps: { db: Db; jobs: JobsDeps }, input: Input, user: SignedInUser) {
  checkRange(input)
  const { name, scene, saved } = await readScenes(deps.db, input)
  // A manual scene has nothing that would start it.
  if (scene.triggerType === 'manual') throw bad(phrase('手动触发的场景没有可以回放的触发'), 'scene')
  const stored: StoredInput = {
    name,
    scene: toStored(scene),
    saved: saved && saved.triggerType !== 'manual' ? toStored(saved) : null,
    from: input.timeStart,
    to: input.timeEnd,
  }
  const title = name === '' ? kept('场景回测') : kept('场景回测「{name}」', { name })
  const jobID = await startJob(deps.jobs, { kind: backtestKind, title, input: stored, user })
  const job = await awaitJob(deps.db, jobID)
  if (job?.status === JobStatus.failed) throw new AppError(errors.parameter, { msg: () => sayKept(job.error) })
  if (job?.status !== JobStatus.done) return { jobID }
  return { ...(JSON.parse(job.result) as BacktestReport), jobID }
}

async function work(deps: BacktestDeps, { input, signal, progress }: JobContext<StoredInput>): Promise<BacktestReport> {
  let toldAt = 0
  return runBacktest(
    deps,
    {
      name: input.name,
      scene: parseScene(input.scene),
      saved: input.saved ? parseScene(input.saved) : undefined,
      from: input.from,
      to: input.to,
    },
    {
      signal,
      async progress(done, total) {
        if (performance.now() - toldAt < tellMs) return
        toldAt = performance.now()
        await progress(done, total)
      },
    },
  )
}

export const backtestJobKind = (deps: BacktestDeps): JobKind<StoredInput> => ({
  kind: backtestKind,
  run: (context) => work(deps, context),
  tries: 2,
  deadlineSeconds,
})

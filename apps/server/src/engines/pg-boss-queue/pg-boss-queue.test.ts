import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import type { JobDelivery, JobQueue } from '#ports/job-queue.ts'
import { eventually } from '#testing/eventually.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { makePgBossQueue } from './pg-boss-queue.ts'

let database: ScratchDatabase
const open: JobQueue[] = []
beforeAll(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'))
})
afterEach(async () => {
  for (const queue of open.splice(0)) await queue.stop()
})
afterAll(() => database.drop())

async function openQueue(handler: (delivery: JobDelivery) => Promise<void>): Promise<JobQueue> {
  const queue = makePgBossQueue(database.url, () => {})
  queue.work(handler)
  await queue.start()
  open.push(queue)
  return queue
}
const send = (queue: JobQueue, jobID: string) => queue.send(jobID, { deadlineSeconds: 60 })

test('a job is handed over once; after a failure again, and marked so', async () => {
  const seen: Array<[string, boolean]> = []
  const queue = await openQueue(async ({ jobID, again }) => {
    seen.push([jobID, again])
    if (jobID === 'shaky' && !again) throw new Error('once')
  })
  await send(queue, 'good')
  await send(queue, 'shaky')
  await eventually(() => expect(seen).toHaveLength(3))
  expect(seen.filter(([jobID]) => jobID === 'good')).toEqual([['good', false]])
  expect(seen.filter(([jobID]) => jobID === 'shaky')).toEqual([
    ['shaky', false],
    ['shaky', true],
  ])
})

test('a stop tells running work, waits for it, and leaves the job to the next server', async () => {
  const events: string[] = []
  const first = await openQueue(
    ({ signal }) =>
      new Promise((_, reject) => {
        events.push('begun')
        signal.addEventListener('abort', () => {
          events.push('told')
          reject(new Error('stopped'))
        })
      }),
  )
  await send(first, 'long')
  await eventually(() => expect(events).toEqual(['begun']))
  await first.stop()
  expect(events).toEqual(['begun', 'told'])
  const taken: JobDelivery[] = []
  await openQueue(async (delivery) => void taken.push(delivery))
  await eventually(() => expect(taken).toMatchObject([{ jobID: 'long', again: true }]))
})

test('what was sent while nobody worked is kept', async () => {
  const sender = makePgBossQueue(database.url, () => {})
  await sender.start()
  await send(sender, 'kept')
  await sender.stop()
  const seen: string[] = []
  await openQueue(async ({ jobID }) => void seen.push(jobID))
  await eventually(() => expect(seen).toContain('kept'))
})

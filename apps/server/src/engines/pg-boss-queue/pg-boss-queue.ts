/** The job queue port on pg-boss: durable in PostgreSQL, shared by several servers, dead workers found by heartbeat. */
import { type JobWithMetadata, PgBoss } from 'pg-boss'
import type { JobDelivery, JobQueue } from '#ports/job-queue.ts'

const queueName = 'job'
/** A server that died with kill -9 gives its jobs back after this long. */
const heartbeatSeconds = 10
const retryDelaySeconds = 2
/** Far more than any kind of job tries: who counts the tries is not the queue, a stop of the server is none. */
const deliveries = 50
/** The queue looks after the deadline only when the server could not. */
const deadlineMarginSeconds = 60
/** Jobs of one server that run at the same time. */
const concurrency = 2

interface Payload {
  jobID: string
}

export function makePgBossQueue(connectionString: string, onError: (error: Error) => void): JobQueue {
  const boss = new PgBoss({
    connectionString,
    application_name: 'ithings-core jobs',
    max: 4,
    schedule: false,
    monitorIntervalSeconds: heartbeatSeconds,
    superviseIntervalSeconds: heartbeatSeconds,
  })
  boss.on('error', onError)
  const stopping = new AbortController()
  let handler: ((delivery: JobDelivery) => Promise<void>) | undefined
  let worker: string | undefined

  return {
    async send(jobID, { deadlineSeconds }) {
      await boss.send(queueName, { jobID } satisfies Payload, {
        retryLimit: deliveries,
        retryDelay: retryDelaySeconds,
        expireInSeconds: deadlineSeconds + deadlineMarginSeconds,
        heartbeatSeconds,
      })
      // Begins at once on this server instead of with the next look into the queue.
      if (worker) boss.notifyWorker(worker)
    },
    work(next) {
      handler = next
    },
    async start() {
      await boss.start()
      await boss.createQueue(queueName)
      if (!handler) return
      const run = handler
      worker = await boss.work(
        queueName,
        { localConcurrency: concurrency, batchSize: 1, pollingIntervalSeconds: 1, includeMetadata: true },
        async (jobs: JobWithMetadata<Payload>[]) => {
          for (const job of jobs) {
            const signal = AbortSignal.any([job.signal, stopping.signal])
            await run({ jobID: job.data.jobID, again: job.retryCount > 0, signal })
          }
        },
      )
    },
    async stop() {
      stopping.abort()
      await boss.stop({ graceful: true, timeout: 5_000 })
    },
  }
}

/** A few script threads behind one bounded queue. A thread that does not answer is ended and replaced. */
import { Worker } from 'node:worker_threads'
import { type BoundedMap, makeBoundedMap } from './bounded-map.ts'
import { failedReply, type Reply, ready, type Task } from './thread-messages.ts'

export interface Job {
  scriptID: number
  script: string
  handler: string
  input: string | Uint8Array
}

export interface PoolOptions {
  threads: number
  /** Jobs waiting for a thread; more are refused. */
  maxWaiting: number
  /** No answer for this long: the job failed and its thread is replaced. */
  wallMilliseconds: number
}

export interface WorkerPool {
  submit(job: Job): Promise<Reply>
  waiting(): number
  replaced(): number
  stop(): Promise<void>
}

/** Jobs handed to a thread ahead of its answer: hides the way between the threads. */
const ahead = 4
/** Scripts that a thread keeps warm; each holds a WebAssembly memory. */
const warmScripts = 12
/** A thread loads the engine when it starts; on a busy machine that takes its time. */
const startMilliseconds = 20_000
/** QuickJS uses the thread's own stack beside the one it counts (limits.ts stackBytes). */
const resourceLimits = { stackSizeMb: 16, maxOldGenerationSizeMb: 128 }

interface Pending extends Job {
  id: number
  settle(reply: Reply): void
}

interface Seat {
  worker: Worker
  isReady: boolean
  jobs: Pending[]
  known: BoundedMap<number, true>
  guard: NodeJS.Timeout | undefined
}

export function makeWorkerPool({ threads, maxWaiting, wallMilliseconds }: PoolOptions): WorkerPool {
  const queue: Pending[] = []
  const seats = new Set<Seat>()
  const ending = new Set<Promise<unknown>>()
  let lastID = 0
  let replaced = 0
  let isStopped = false

  function takeSeat(): Seat {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { execArgv: [], env: {}, resourceLimits })
    const seat: Seat = { worker, isReady: false, jobs: [], known: makeBoundedMap(warmScripts), guard: undefined }
    seats.add(seat)
    watch(seat, startMilliseconds)
    worker.on('message', (message: typeof ready | Reply) => {
      if (message === ready) seat.isReady = true
      else answered(seat, message)
      watch(seat, wallMilliseconds)
    })
    worker.on('error', () => lost(seat, '脚本引擎意外中止，请重试'))
    worker.on('exit', () => lost(seat, '脚本引擎意外中止，请重试'))
    return seat
  }

  function watch(seat: Seat, milliseconds: number): void {
    clearTimeout(seat.guard)
    seat.guard =
      seat.isReady && seat.jobs.length === 0
        ? undefined
        : setTimeout(() => lost(seat, `脚本 ${milliseconds} ms 内没有结束，已强制停止`, true), milliseconds)
  }

  function answered(seat: Seat, reply: Reply): void {
    seat.jobs.shift()?.settle(reply)
    pump()
  }

  /** Only the first job can be to blame; those behind it start again on another thread. */
  function lost(seat: Seat, why: string, timedOut = false): void {
    if (!seats.delete(seat)) return
    clearTimeout(seat.guard)
    end(seat.worker)
    replaced += 1
    const [first, ...others] = seat.jobs.splice(0)
    first?.settle({ ...failedReply(first.id, timedOut ? 'limit' : 'busy', why), timedOut: timedOut && seat.isReady })
    if (seat.isReady) queue.unshift(...others)
    // A thread that cannot even start would be replaced for ever.
    else for (const job of others) job.settle(failedReply(job.id, 'busy', why))
    pump()
  }

  function end(worker: Worker): void {
    const done: Promise<unknown> = worker.terminate().finally(() => ending.delete(done))
    ending.add(done)
  }

  /** Loading a script costs a hundred calls: a thread that holds it is worth a short wait. */
  function pickSeat(scriptID: number): Seat | undefined {
    const free = [...seats].filter((seat) => seat.jobs.length < ahead).sort((a, b) => a.jobs.length - b.jobs.length)
    const warm = free.find((seat) => seat.jobs.length < ahead / 2 && seat.known.has(scriptID))
    if (warm) return warm
    if (free[0]?.jobs.length !== 0 && seats.size < threads) return takeSeat()
    return free[0]
  }

  function pump(): void {
    for (let job = queue[0]; job && !isStopped; job = queue[0]) {
      const seat = pickSeat(job.scriptID)
      if (!seat) return
      queue.shift()
      send(seat, job)
    }
  }

  function send(seat: Seat, job: Pending): void {
    const isKnown = seat.known.get(job.scriptID) !== undefined
    const drop = isKnown ? undefined : seat.known.set(job.scriptID, true)
    seat.jobs.push(job)
    if (seat.isReady && seat.jobs.length === 1) watch(seat, wallMilliseconds)
    const { id, scriptID, handler, input } = job
    seat.worker.postMessage({
      id,
      scriptID,
      script: isKnown ? undefined : job.script,
      drop,
      handler,
      input,
    } satisfies Task)
  }

  return {
    submit(job) {
      lastID += 1
      const id = lastID
      if (isStopped) return Promise.resolve(failedReply(id, 'busy', '脚本引擎已停止'))
      if (queue.length >= maxWaiting) {
        return Promise.resolve(failedReply(id, 'busy', `等待执行的脚本已达 ${maxWaiting} 个，请稍后再试`))
      }
      return new Promise((settle) => {
        queue.push({ ...job, id, settle })
        pump()
      })
    },
    waiting: () => queue.length,
    replaced: () => replaced,
    async stop() {
      isStopped = true
      for (const seat of seats) {
        clearTimeout(seat.guard)
        end(seat.worker)
        queue.push(...seat.jobs.splice(0))
      }
      seats.clear()
      for (const job of queue.splice(0)) job.settle(failedReply(job.id, 'busy', '脚本引擎已停止'))
      await Promise.all(ending)
    },
  }
}

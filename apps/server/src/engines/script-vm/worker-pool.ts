/** A few script threads behind one bounded queue. A thread that does not answer is ended and replaced. */

import { Worker } from 'node:worker_threads'
import { kept } from '@ithings/contract/text.ts'
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

/** Jobs handed to a thread ahead of its answer: hides the way between the threads. */
const ahead = 4
/** Scripts that a thread keeps warm; each holds a WebAssembly memory. */
const warmScripts = 12
/** A thread loads the engine when it starts; on a busy machine that takes its time. */
const startMilliseconds = 20_000
/** QuickJS uses the thread's own stack beside the one it counts (limits.ts stackBytes). */
const resourceLimits = { stackSizeMb: 16, maxOldGenerationSizeMb: 128 }

const stoppedText = kept('脚本引擎已停止')
const diedText = kept('脚本引擎意外中止，请重试')

const overdueText = (limit: number) => kept('脚本 {limit} ms 内没有结束，已强制停止', { limit })

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

export class WorkerPool {
  readonly #options: PoolOptions
  readonly #queue: Pending[] = []
  readonly #seats = new Set<Seat>()
  readonly #ending = new Set<Promise<unknown>>()
  #lastID = 0
  #replaced = 0
  #isStopped = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** Threads that were. */
  get replaced(): number {
    return this.#replaced
  }

  submit(job: Job): Promise<Reply> {
    const { maxWaiting } = this.#options
    this.#lastID += 1
    const id = this.#lastID
    if (this.#isStopped) return Promise.resolve(failedReply(id, 'busy', stoppedText))
    if (this.#queue.length >= maxWaiting) {
      const why = kept('等待执行的脚本已达 {count} 个，请稍后再试', { count: maxWaiting })
      return Promise.resolve(failedReply(id, 'busy', why))
    }
    return new Promise((settle) => {
      this.#queue.push({ ...job, id, settle })
      this.#pump()
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const seat of this.#seats) {
      clearTimeout(seat.guard)
      this.#end(seat.worker)
      this.#queue.push(...seat.jobs.splice(0))
    }
    this.#seats.clear()
    for (const job of this.#queue.splice(0)) job.settle(failedReply(job.id, 'busy', stoppedText))
    await Promise.all(this.#ending)
  }

  #pump(): void {
    for (let job = this.#queue[0]; job && !this.#isStopped; job = this.#queue[0]) {
      const seat = this.#pickSeat(job.scriptID)
      if (!seat) return
      this.#queue.shift()
      this.#send(seat, job)
    }
  }

  /** Loading a script costs a hundred calls: a thread that holds it is worth a short wait. */
  #pickSeat(scriptID: number): Seat | undefined {
    const free = [...this.#seats]
      .filter((seat) => seat.jobs.length < ahead)
      .sort((a, b) => a.jobs.length - b.jobs.length)
    const warm = free.find((seat) => seat.jobs.length < ahead / 2 && seat.known.has(scriptID))
    if (warm) return warm
    if (free[0]?.jobs.length !== 0 && this.#seats.size < this.#options.threads) return this.#takeSeat()
    return free[0]
  }

  #takeSeat(): Seat {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { execArgv: [], env: {}, resourceLimits })
    const seat: Seat = { worker, isReady: false, jobs: [], known: makeBoundedMap(warmScripts), guard: undefined }
    this.#seats.add(seat)
    this.#watch(seat, startMilliseconds)
    worker.on('message', (message: typeof ready | Reply) => {
      if (message === ready) seat.isReady = true
      else this.#answered(seat, message)
      this.#watch(seat, this.#options.wallMilliseconds)
    })
    worker.on('error', () => this.#lost(seat, diedText))
    worker.on('exit', () => this.#lost(seat, diedText))
    return seat
  }

  #send(seat: Seat, job: Pending): void {
    const isKnown = seat.known.get(job.scriptID) !== undefined
    const drop = isKnown ? undefined : seat.known.set(job.scriptID, true)
    seat.jobs.push(job)
    if (seat.isReady && seat.jobs.length === 1) this.#watch(seat, this.#options.wallMilliseconds)
    const { id, scriptID, handler, input } = job
    const task: Task = { id, scriptID, script: isKnown ? undefined : job.script, drop, handler, input }
    seat.worker.postMessage(task)
  }

  #watch(seat: Seat, milliseconds: number): void {
    clearTimeout(seat.guard)
    seat.guard =
      seat.isReady && seat.jobs.length === 0
        ? undefined
        : setTimeout(() => this.#lost(seat, overdueText(milliseconds), true), milliseconds)
  }

  #answered(seat: Seat, reply: Reply): void {
    seat.jobs.shift()?.settle(reply)
    this.#pump()
  }

  /** Only the first job can be to blame; those behind it start again on another thread. */
  #lost(seat: Seat, why: string, timedOut = false): void {
    if (!this.#seats.delete(seat)) return
    clearTimeout(seat.guard)
    this.#end(seat.worker)
    this.#replaced += 1
    const [first, ...others] = seat.jobs.splice(0)
    first?.settle({ ...failedReply(first.id, timedOut ? 'limit' : 'busy', why), timedOut: timedOut && seat.isReady })
    if (seat.isReady) this.#queue.unshift(...others)
    // A thread that cannot even start would be replaced for ever.
    else for (const job of others) job.settle(failedReply(job.id, 'busy', why))
    this.#pump()
  }

  #end(worker: Worker): void {
    const done: Promise<unknown> = worker.terminate().finally(() => this.#ending.delete(done))
    this.#ending.add(done)
  }
}

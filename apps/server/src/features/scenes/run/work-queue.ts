/**
 * What runs have to do, in two lanes: the first actions of firings, and everything after them. So a burst of triggers has
 * its first effects soon, and what follows is done beside it. What one device started is done in its order all the same:
 * an alarm that is cleared after it was raised must not stay open.
 */
import { makeKeyedOrder } from '../keyed-order.ts'

export type Lane = 'first' | 'later'

type Rest = () => Promise<void>
/** @returns what is left: done in the later lane, before the next one of the same device has its turn */
type Work = () => Promise<Rest | undefined>

interface Job {
  lane: Lane
  work: Work
  /** undefined: nobody waits for it, and it waits for nobody. */
  deviceID: number | undefined
}

const laterJob = (rest: Rest, deviceID?: number): Job => ({
  lane: 'later',
  work: () => rest().then(() => undefined),
  deviceID,
})

export interface WorkQueue {
  /** @param deviceID undefined: not started by a device */
  first(work: Work, deviceID: number | undefined): void
  later(work: Rest): void
  /** Waiting for their turn. */
  readonly waiting: number
  readonly running: number
  /** Resolves when nothing is left, or after the time. */
  drained(ms: number): Promise<void>
}

export function makeWorkQueue(places: Record<Lane, number>, failed: (error: unknown) => void): WorkQueue {
  const lanes: Record<Lane, Job[]> = { first: [], later: [] }
  const busy: Record<Lane, number> = { first: 0, later: 0 }
  const devices = makeKeyedOrder<Job>()
  let idle: (() => void) | undefined
  const waiting = () => lanes.first.length + lanes.later.length + devices.waiting
  const running = () => busy.first + busy.later

  const push = (job: Job) => {
    lanes[job.lane].push(job)
    pump(job.lane)
  }

  const finish = ({ lane, deviceID }: Job, rest: Rest | undefined) => {
    busy[lane] -= 1
    const follower = deviceID === undefined || rest ? undefined : devices.leave(deviceID)
    if (rest) push(laterJob(rest, deviceID))
    else if (follower) push(follower)
    pump(lane)
    if (running() + waiting() === 0) idle?.()
  }

  const run = async (job: Job) => {
    let rest: Rest | undefined
    try {
      rest = await job.work()
    } catch (error) {
      failed(error)
    }
    finish(job, rest)
  }

  const pump = (lane: Lane) => {
    while (busy[lane] < places[lane]) {
      const job = lanes[lane].shift()
      if (!job) return
      busy[lane] += 1
      void run(job)
    }
  }

  return {
    first(work, deviceID) {
      const job: Job = { lane: 'first', work, deviceID }
      if (deviceID === undefined || devices.enter(deviceID, job)) push(job)
    },
    later: (work) => push(laterJob(work)),
    get waiting() {
      return waiting()
    },
    get running() {
      return running()
    },
    async drained(ms) {
      if (running() + waiting() === 0) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        idle = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}

/**
 * Work on the records of one device goes one at a time and in order: what was raised before it was cleared stays so.
 * Of all together only a few hold a database connection, so that a storm of alarms leaves some to everybody else.
 */

import { errors, refusal } from '@ithings/contract/errors.ts'

interface KeyedQueue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  counts(): { waiting: number; working: number; done: number; refused: number }
}

export function makeKeyedQueue({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): KeyedQueue {
  /** What waits for its turn, by key; a key is `ready` while nothing of it is being worked on. */
  const lines = new Map<string, Array<() => Promise<void>>>()
  const ready: string[] = []
  let waiting = 0
  let working = 0
  let done = 0
  let refused = 0

  async function workOn(key: string): Promise<void> {
    const line = lines.get(key)
    const work = line?.shift()
    if (!line || !work) return
    waiting--
    working++
    await work()
    working--
    done++
    if (line.length > 0) ready.push(key)
    else lines.delete(key)
    next()
  }

  function next(): void {
    while (working < atOnce) {
      const key = ready.shift()
      if (key === undefined) return
      void workOn(key)
    }
  }

  return {
    run(key, work) {
      if (waiting >= maxWaiting) {
        refused++
        return Promise.reject(refusal(errors.rateLimited, '等待处理的告警已达上限 {maxWaiting}', { maxWaiting }))
      }
      return new Promise((resolve, reject) => {
        const turn = () => work().then(resolve, reject)
        waiting++
        const line = lines.get(key)
        if (line) line.push(turn)
        else {
          lines.set(key, [turn])
          ready.push(key)
        }
        next()
      })
    },
    counts: () => ({ waiting, working, done, refused }),
  }
}

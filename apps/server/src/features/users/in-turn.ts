/** Work for the same name one after the other, in this process; for different names side by side. */
import { AppError, errors } from '@ithings/contract/errors.ts'

/** Beyond this nobody waits: who is behind so many has gone by the time it would be looked at. */
const mostWaiting = 100

const queues = new Map<string, { last: Promise<unknown>; waiting: number }>()

export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(name) ?? { last: Promise.resolve(), waiting: 0 }
  if (queue.waiting >= mostWaiting) throw new AppError(errors.rateLimited)
  queue.waiting++
  queues.set(name, queue)
  const mine = queue.last.then(work)
  queue.last = mine.catch(() => undefined)
  try {
    return await mine
  } finally {
    queue.waiting--
    if (queue.waiting === 0) queues.delete(name)
  }
}

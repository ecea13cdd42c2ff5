import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'

const most = 2

/** Scripts that one person has running at a time: the thread for trials is shared by all. */
export function makeTrialLimit() {
  const running = new Map<number, number>()
  return async <T>(userID: number, work: () => Promise<T>): Promise<T> => {
    const count = running.get(userID) ?? 0
    if (count >= most)
      throw new AppError(errors.rateLimited, { msg: phrase('同时最多试运行 {most} 个脚本，请稍后再试', { most }) })
    running.set(userID, count + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(userID) ?? 1) - 1
      if (left > 0) running.set(userID, left)
      else running.delete(userID)
    }
  }
}

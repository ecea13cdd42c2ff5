/** What the request layer has to say to people; the shell listens and draws it. */
import { type ApiError, failureTitle } from './api-error.ts'
import { makeSignal } from './signal.ts'

export interface FailureNotice {
  title: string
  text: string
  requestID: string | undefined
}

export const failureNotices = makeSignal<FailureNotice>()

/** The stored session ended by a 401: the shell leads to the login page. */
export const sessionEnded = makeSignal<void>()

export const noticeOf = (error: ApiError): FailureNotice => ({
  title: failureTitle(error),
  text: error.message,
  requestID: error.requestID,
})

export interface MergedNotice extends FailureNotice {
  /** The same key replaces the notification on the screen. */
  key: string
  /** How many times it happened since the notification was opened. */
  count: number
}

/** Identical notifications become one with a count, so that ten failing calls do not fill the screen. */
export function makeNoticeMerger() {
  const open = new Map<string, number>()
  return {
    add: (notice: FailureNotice): MergedNotice => {
      const key = `${notice.title}\n${notice.text}`
      const count = (open.get(key) ?? 0) + 1
      open.set(key, count)
      return { ...notice, key, count }
    },
    closed: (key: string) => void open.delete(key),
  }
}

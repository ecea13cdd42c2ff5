/** The tus protocol's locker on the locks port: requests of one upload take turns, whichever server they came to. */
import { ERRORS, type Locker } from '@tus/server'
import type { Locks } from '#ports/locks.ts'

/** A request that holds the upload ends within seconds when it is asked to. */
const longestWaitMs = 30_000

export const makeUploadLocker = (locks: Locks): Locker => ({
  newLock(id) {
    let letGo: (() => Promise<void>) | undefined
    return {
      async lock(stopped, cancel) {
        const stop = AbortSignal.any([stopped, AbortSignal.timeout(longestWaitMs)])
        letGo = await locks.take(`upload ${id}`, () => void cancel(), stop)
        if (!letGo) throw ERRORS.ERR_LOCK_TIMEOUT
      },
      async unlock() {
        await letGo?.()
      },
    }
  },
})

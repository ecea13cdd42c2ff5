import { useState } from 'react'
import { describeError } from './states/describe-error.ts'

/** One act of a dialog: whether it runs, and why the last one was refused. */
export function useAttempt() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const attempt = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setFailure('')
    try {
      await work()
    } catch (error) {
      setFailure(describeError(error).reason)
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, attempt }
}

import { useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import type { ImportRow } from '../openapi-import.ts'
import { postApi, putApi, useApisChanged } from '../queries.ts'

export interface ImportResult {
  saved: number
  failures: { row: ImportRow; reason: string }[]
}

/** One call a row; a refused one does not stop the rest. */
export function useImport() {
  const changed = useApisChanged()
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [result, setResult] = useState<ImportResult>()

  const run = async (rows: readonly ImportRow[]): Promise<ImportResult> => {
    const failures: ImportResult['failures'] = []
    setResult(undefined)
    for (const [done, row] of rows.entries()) {
      setProgress({ done, total: rows.length })
      const { stored } = row
      try {
        if (stored) await putApi({ id: stored.id, rev: stored.rev, ...row.api })
        else await postApi(row.api)
      } catch (error) {
        failures.push({ row, reason: describeError(error).reason })
      }
    }
    await changed()
    const outcome = { saved: rows.length - failures.length, failures }
    setProgress(undefined)
    setResult(outcome)
    return outcome
  }
  return { run, progress, result, clear: () => setResult(undefined) }
}

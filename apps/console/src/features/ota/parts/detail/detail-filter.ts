/** What the device table of a task is filtered by, in the address beside `taskID`. */
import { OtaStatus, type OtaStatus as Status } from '@ithings/contract/features/ota/states.ts'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

export interface DetailFilter {
  status: Status | undefined
  name: string
  reason: string
}

/** Keeps the table's page and sort apart from those of the list behind it. */
export const tablePrefix = 'd-'

export const readDetailFilter = (params: URLSearchParams): DetailFilter => {
  const status = Number(params.get('d-status') ?? '')
  return {
    status: Object.values(OtaStatus).find((one) => one === status),
    name: params.get('d-name') ?? '',
    reason: params.get('d-reason') ?? '',
  }
}

export function useDetailFilter(): [DetailFilter, (patch: Partial<DetailFilter>) => void] {
  const [params, setParams] = useSearchParams()
  const filter = useMemo(() => readDetailFilter(params), [params])
  const change = useCallback(
    (patch: Partial<DetailFilter>) =>
      setParams(
        (before) => {
          const next = { ...readDetailFilter(before), ...patch }
          for (const [name, value] of Object.entries(next)) {
            if (value) before.set(`d-${name}`, String(value))
            else before.delete(`d-${name}`)
          }
          // Another filter begins with its first page.
          before.delete('d-page')
          return before
        },
        { replace: true },
      ),
    [setParams],
  )
  return [filter, change]
}

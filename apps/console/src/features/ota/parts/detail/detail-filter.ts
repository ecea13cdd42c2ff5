/** What the device table of a task is filtered by, in the address beside `taskID`. */
import { OtaStatus, type OtaStatus as Status } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { isTaskOpen } from '../../labels.ts'

export interface DetailFilter {
  status: Status | undefined
  name: string
  reason: string
  /** What somebody chose: the stage at work alone, or all of the task. */
  scope: DetailScope | undefined
}
export type DetailScope = 'stage' | 'all'

/** screens.md 22: while it goes on stage by stage the one at work is looked at, afterwards the whole. */
export function stageShown(task: OtaTask, { scope }: DetailFilter): number | undefined {
  if (task.stages.length < 2) return undefined
  return (scope ?? (isTaskOpen(task) ? 'stage' : 'all')) === 'stage' ? task.stage : undefined
}

/** Keeps the table's page and sort apart from those of the list behind it. */
export const tablePrefix = 'd-'

export const readDetailFilter = (params: URLSearchParams): DetailFilter => {
  const status = Number(params.get('d-status') ?? '')
  return {
    status: Object.values(OtaStatus).find((one) => one === status),
    name: params.get('d-name') ?? '',
    reason: params.get('d-reason') ?? '',
    scope: (['stage', 'all'] as const).find((one) => one === params.get('d-scope')),
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

/** What the device table of a task is filtered by, in the address beside `taskID`. */
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import * as z from 'zod'
import { useUrlState } from '#kit/url-state.ts'
import { isTaskOpen } from '../../labels.ts'

const detailFilter = z.object({
  status: z.coerce
    .number()
    .pipe(z.literal(Object.values(OtaStatus)))
    .optional(),
  name: z.string(),
  reason: z.string(),
  /** What somebody chose: the stage at work alone, or all of the task. */
  scope: z.enum(['stage', 'all']).optional(),
  page: z.string(),
})
export type DetailFilter = Omit<z.output<typeof detailFilter>, 'page'>
const noFilter = { name: '', reason: '', page: '' }

/** Keeps the table's page and sort apart from those of the list behind it. */
export const tablePrefix = 'd-'

/** screens.md 22: while it goes on stage by stage the one at work is looked at, afterwards the whole. */
export function stageShown(task: OtaTask, { scope }: DetailFilter): number | undefined {
  if (task.stages.length < 2) return undefined
  return (scope ?? (isTaskOpen(task) ? 'stage' : 'all')) === 'stage' ? task.stage : undefined
}

export function useDetailFilter(): [DetailFilter, (patch: Partial<DetailFilter>) => void] {
  const [filter, set] = useUrlState(detailFilter, noFilter, tablePrefix)
  // Another filter begins with its first page.
  return [filter, (patch) => set({ ...patch, page: '' }, { replace: true })]
}

import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

export const detailTabs = ['devices', 'runs', 'config'] as const
export type DetailTab = (typeof detailTabs)[number]

/** The lists inside the drawer keep their filters beside those of the page. */
export const devicesPrefix = 'd.'
export const runsPrefix = 'r.'

const isOwn = (name: string) =>
  ['taskID', 'runID', 'tab'].includes(name) || name.startsWith(devicesPrefix) || name.startsWith(runsPrefix)

/** Which task is open (`?taskID=`), which of its runs and which tab: links can be shared, Back closes. */
export function useDetailUrl() {
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('taskID') ?? '')
  const tab = detailTabs.find((one) => one === params.get('tab')) ?? 'devices'
  const set = useCallback(
    (own: Record<string, string>, options?: { replace?: boolean }) =>
      setParams(
        (before) => new URLSearchParams([...[...before].filter(([name]) => !isOwn(name)), ...Object.entries(own)]),
        options,
      ),
    [setParams],
  )
  const taskID = Number.isSafeInteger(id) && id > 0 ? id : undefined
  const runID = params.get('runID') ?? ''
  const ofTask = { taskID: String(taskID ?? ''), ...(runID && { runID }) }
  return {
    taskID,
    runID,
    tab,
    open: useCallback((next: number) => set({ taskID: String(next) }), [set]),
    close: useCallback(() => set({}), [set]),
    showTab: (next: DetailTab) => set({ ...ofTask, ...(next !== 'devices' && { tab: next }) }, { replace: true }),
    /** '': the latest. */
    showRun: (next: string) => set({ taskID: ofTask.taskID, ...(next && { runID: next }) }, { replace: true }),
  }
}

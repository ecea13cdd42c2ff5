import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'

/** To a task, with the filters of the list kept in the address: its way back leads to the same list. */
export function TaskLink({ taskID, children }: { taskID: number; children: ReactNode }) {
  const [params] = useSearchParams()
  const next = new URLSearchParams(params)
  next.set('taskID', String(taskID))
  return (
    <Link className="task-name" to={{ search: `?${next}` }}>
      {children}
    </Link>
  )
}

import { useState } from 'react'

/** A new key each time something opens: its state starts afresh, and it keeps its content while it fades out. */
export function useSessionKey(open: boolean): number {
  const [seen, setSeen] = useState({ open, session: 0 })
  if (seen.open === open) return seen.session
  const next = { open, session: open ? seen.session + 1 : seen.session }
  setSeen(next)
  return next.session
}

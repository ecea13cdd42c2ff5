import { useState } from 'react'
import { MessageTrace } from './message-trace.tsx'

/** The trace of a message, opened over whatever names the message. */
export function useTrace() {
  const [traced, setTraced] = useState<string>()
  const [open, setOpen] = useState(false)
  const show = (tranceID: string) => {
    setTraced(tranceID)
    setOpen(true)
  }
  const drawer = (
    <MessageTrace tranceID={traced} open={open} onClose={() => setOpen(false)} onShow={(row) => show(row.tranceID)} />
  )
  return { show, drawer }
}

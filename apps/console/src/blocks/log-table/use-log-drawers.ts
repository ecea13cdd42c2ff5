import type { HubLogRow } from '@ithings/contract/features/devices/msg.ts'
import { useState } from 'react'

/** Trace and context of a line; what they showed stays while they close. */
export function useLogDrawers() {
  const [drawer, setDrawer] = useState<'trace' | 'context'>()
  const [traced, setTraced] = useState<HubLogRow>()
  const [centre, setCentre] = useState<HubLogRow>()
  return {
    drawer,
    traced,
    centre,
    showTrace: (row: HubLogRow) => {
      setTraced(row)
      setDrawer('trace')
    },
    showContext: (row: HubLogRow) => {
      setCentre(row)
      setDrawer('context')
    },
    close: () => setDrawer(undefined),
  }
}

import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { BulkKind } from './bulk-modal.tsx'
import type { WireFilter } from './device-filters.tsx'

export type DeviceDialog =
  | { kind: 'create' | 'batch'; productID: string | undefined }
  | { kind: 'edit'; device: Device }
  | { kind: 'bulk'; bulk: BulkKind; devices: readonly Device[]; filter?: WireFilter | undefined; clear: () => void }
  | { kind: 'bulk-job'; title: string; jobID: string }
  | { kind: 'import' }
  | { kind: 'batch-job' | 'export-job'; jobID: string }

export interface DialogState {
  dialog: DeviceDialog | undefined
  open: boolean
  session: number
}

/**
 * A link from a product may ask for a new device of it (`create`); it asks once, not at each reload.
 * A new number each time something opens, so that a dialog never starts with what an earlier one left behind.
 */
export function useDeviceDialog() {
  const [state, setState] = useState<DialogState>({ dialog: undefined, open: false, session: 0 })
  const [params, setParams] = useSearchParams()
  useEffect(() => {
    if (!params.has('create')) return
    const rest = new URLSearchParams(params)
    rest.delete('create')
    const dialog = { kind: 'create', productID: rest.get('productID') ?? undefined } as const
    setState(({ session }) => ({ dialog, open: true, session: session + 1 }))
    setParams(rest, { replace: true })
  }, [params, setParams])
  return {
    ...state,
    show: (dialog: DeviceDialog) => setState(({ session }) => ({ dialog, open: true, session: session + 1 })),
    /** Only the dialog that asked closes: a form that started a job is followed by that job's own dialog. */
    close: (session: number) =>
      setState((before) => (before.session === session ? { ...before, open: false } : before)),
  }
}

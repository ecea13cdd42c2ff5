import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useDialog } from '#kit/use-dialog.ts'
import type { BulkKind } from './bulk-modal.tsx'
import type { WireFilter } from './device-filters.tsx'

export type DeviceDialog =
  | { kind: 'create' | 'batch'; productID: string | undefined }
  | { kind: 'edit'; device: Device }
  | { kind: 'bulk'; bulk: BulkKind; devices: readonly Device[]; filter?: WireFilter | undefined; clear: () => void }
  | { kind: 'bulk-job'; title: string; jobID: string }
  | { kind: 'import' }
  | { kind: 'batch-job' | 'export-job'; jobID: string }

/** A link from a product may ask for a new device of it (`create`); it asks once, not at each reload. */
export function useDeviceDialog() {
  const dialog = useDialog<DeviceDialog>()
  const show = useRef(dialog.show)
  const [params, setParams] = useSearchParams()
  useEffect(() => {
    if (!params.has('create')) return
    const rest = new URLSearchParams(params)
    rest.delete('create')
    show.current({ kind: 'create', productID: rest.get('productID') ?? undefined })
    setParams(rest, { replace: true })
  }, [params, setParams])
  return dialog
}

import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { JobModal } from '#blocks/job-modal.tsx'
import { BatchCreateForm, BatchCreateJob } from './batch-create.tsx'
import { type BulkKind, BulkModal } from './bulk-modal.tsx'
import { BulkJob } from './bulk-result.tsx'
import type { WireFilter } from './device-filters.tsx'
import { CreateDeviceForm, EditDeviceForm } from './device-form.tsx'
import { ImportDrawer } from './import-drawer.tsx'

export type DeviceDialog =
  | { kind: 'create' | 'batch'; productID: string | undefined }
  | { kind: 'edit'; device: Device }
  | { kind: 'bulk'; bulk: BulkKind; devices: readonly Device[]; filter?: WireFilter | undefined; clear: () => void }
  | { kind: 'bulk-job'; title: string; jobID: string }
  | { kind: 'import' }
  | { kind: 'batch-job' | 'export-job'; jobID: string }

interface DialogState {
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

interface DeviceDialogsProps extends DialogState {
  onClose: (session: number) => void
  onShow: (dialog: DeviceDialog) => void
}

/** Whichever dialog of the device list is open. */
export function DeviceDialogs({ dialog, open, session, onClose, onShow }: DeviceDialogsProps) {
  const key = session
  const rest = { open, onClose: () => onClose(session) }
  switch (dialog?.kind) {
    case undefined:
      return null
    case 'create':
      return <CreateDeviceForm key={key} {...rest} productID={dialog.productID} />
    case 'edit':
      return <EditDeviceForm key={key} {...rest} device={dialog.device} />
    case 'batch':
      return (
        <BatchCreateForm
          key={key}
          {...rest}
          productID={dialog.productID}
          onStarted={(jobID) => onShow({ kind: 'batch-job', jobID })}
        />
      )
    case 'batch-job':
      return <BatchCreateJob key={key} {...rest} jobID={dialog.jobID} />
    case 'export-job':
      return <JobModal key={key} {...rest} title="导出设备" jobID={dialog.jobID} />
    case 'bulk-job':
      return <BulkJob key={key} {...rest} title={dialog.title} jobID={dialog.jobID} />
    case 'import':
      return <ImportDrawer key={key} {...rest} />
    case 'bulk':
      return (
        <BulkModal
          key={key}
          kind={dialog.bulk}
          devices={dialog.devices}
          filter={dialog.filter}
          open={open}
          onStarted={(jobID, title) => {
            onShow({ kind: 'bulk-job', jobID, title })
            dialog.clear()
          }}
          onClose={(changed) => {
            onClose(session)
            if (changed) dialog.clear()
          }}
        />
      )
  }
}

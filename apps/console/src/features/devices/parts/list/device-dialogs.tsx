import { JobModal } from '#blocks/job-modal.tsx'
import { BatchCreateForm, BatchCreateJob } from './batch-create.tsx'
import { BulkModal } from './bulk-modal.tsx'
import { BulkJob } from './bulk-result.tsx'
import { CreateDeviceForm, EditDeviceForm } from './device-form.tsx'
import { ImportDrawer } from './import-drawer.tsx'
import type { DeviceDialog, DialogState } from './use-device-dialog.ts'

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

import { t } from '@ithings/contract/text.ts'
import { CreateDeviceForm, EditDeviceForm } from '#blocks/device/device-form.tsx'
import { JobModal } from '#blocks/job-modal.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { BatchCreateForm, BatchCreateJob } from './batch-create.tsx'
import { BulkModal } from './bulk-modal.tsx'
import { BulkJob } from './bulk-result.tsx'
import { ImportDrawer } from './import-drawer.tsx'
import type { DeviceDialog } from './use-device-dialog.ts'

interface DeviceDialogsProps extends Opened {
  dialog: DeviceDialog
  onShow: (dialog: DeviceDialog) => void
}

/** Whichever dialog of the device list is open. */
export function DeviceDialogs({ dialog, open, onClose, onShow }: DeviceDialogsProps) {
  const rest = { open, onClose }
  switch (dialog.kind) {
    case 'create':
      return <CreateDeviceForm {...rest} productID={dialog.productID} />
    case 'edit':
      return <EditDeviceForm {...rest} device={dialog.device} />
    case 'batch':
      return (
        <BatchCreateForm
          {...rest}
          productID={dialog.productID}
          onStarted={(jobID) => onShow({ kind: 'batch-job', jobID })}
        />
      )
    case 'batch-job':
      return <BatchCreateJob {...rest} jobID={dialog.jobID} />
    case 'export-job':
      return <JobModal {...rest} title={t('导出设备')} jobID={dialog.jobID} />
    case 'bulk-job':
      return <BulkJob {...rest} title={dialog.title} jobID={dialog.jobID} />
    case 'import':
      return <ImportDrawer {...rest} />
    case 'bulk':
      return (
        <BulkModal
          kind={dialog.bulk}
          devices={dialog.devices}
          filter={dialog.filter}
          open={open}
          onStarted={(jobID, title) => {
            onShow({ kind: 'bulk-job', jobID, title })
            dialog.clear()
          }}
          onClose={(changed) => {
            onClose()
            if (changed) dialog.clear()
          }}
        />
      )
  }
}

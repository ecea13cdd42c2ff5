import * as contract from '@ithings/contract/features/ota/firmware.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { createFirmware } from './create-firmware.ts'
import { deleteFirmware } from './delete-firmware.ts'
import { readDeviceVersions } from './device-versions.ts'
import type { FirmwareDeps } from './firmware-deps.ts'
import { listFirmware } from './list-firmware.ts'
import { readFirmware } from './read-firmware.ts'
import { readSigningKey, saveSigningKey } from './signing-key.ts'
import { updateFirmware } from './update-firmware.ts'

export const firmwareRoutes = (deps: FirmwareDeps): MountedEndpoint[] => [
  on(contract.createFirmware, (input, { user }) => createFirmware(deps, input, user.userName)),
  on(contract.updateFirmware, (input) => updateFirmware(deps, input)),
  on(contract.deleteFirmware, (input) => deleteFirmware(deps, input)),
  on(contract.readFirmware, (input) => readFirmware(deps, input)),
  on(contract.listFirmware, (input) => listFirmware(deps, input)),
  on(contract.readDeviceVersions, (input) => readDeviceVersions(deps, input)),
  on(contract.saveSigningKey, (input) => saveSigningKey(deps, input)),
  on(contract.readSigningKey, (input) => readSigningKey(deps, input)),
]
